import { Fragment } from "preact";
import { Link } from "./parts.tsx";

/** The lists of the state whose rows open a record. */
export const OPENED: ReadonlySet<string> = new Set(["devices", "sims", "subscribers"]);

/** Links to the records that an event is about, as a fact. */
export function recordFacts(records: readonly string[] = []) {
  if (records.length === 0) return [];
  const links = records.map((id) => (
    <Fragment key={id}>
      <Link to="state" id={`${listOf(id)}/${id}`}>
        {id}
      </Link>{" "}
    </Fragment>
  ));
  return [["About", links] as const];
}

/** The list that shows a record. The ids of devices have no prefix. */
function listOf(id: string): string {
  if (id.startsWith("sim_")) return "sims";
  return id.startsWith("sub_") ? "subscribers" : "devices";
}
