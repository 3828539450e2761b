import { mistake } from "@fieldmesh/core/internal";
import { isDeletion } from "@fieldmesh/webhook-types/internal/mirror";
import { canonical } from "./canonical.ts";
import type { Version } from "./version.ts";

/**
 * Finds the last version of an object, whatever the order of the versions and however often each is there. Versions of the same
 * time are ordered by the previous values that their events carry. If these leave more than one that may be the last, the one
 * with the greatest id is shown, so that all copies agree, and `isAmbiguous` is set unless they all show the same. `newest` has all
 * versions of the last time, by the ids of their events.
 */
export function fold(versions: readonly Version[]) {
  const time = versions.reduce((last, each) => (each.time > last ? each.time : last), "");
  const byId = new Map(
    versions.filter((each) => each.time === time).map((each) => [each.id, each]),
  );
  const newest = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const after = new Map(
    newest.map((each) => [each, newest.filter((other) => other !== each && isBefore(each, other))]),
  );
  const last = newest.filter((each) => after.get(each)?.length === 0);
  const shown = last.at(-1) ?? newest.at(-1);
  if (shown === undefined) throw mistake("An object needs a version.");
  // A sync fires beside the change that it has found, and shows the same.
  const equal = last.filter((each) => shows(each) === shows(shown));
  const isAmbiguous =
    last.length !== equal.length ||
    newest.some((each) => !equal.some((end) => leadsTo(each, end, after)));
  return { newest, shown, isAmbiguous };
}

/** What a row shows of a version, apart from its event. */
function shows(version: Version): string {
  return canonical([version.state, version.personal, isDeletion(version)]);
}

/** Whether the previous values of one version are those of the other, and not the reverse. */
function isBefore(earlier: Version, later: Version): boolean {
  const { previous } = later;
  return (
    previous !== null && !previous.isPart && follows(later, earlier) && !follows(earlier, later)
  );
}

/** Whether a version may come right after another one: all previous values that are known are those of the other. */
function follows({ previous }: Version, { state }: Version): boolean {
  if (previous === null) return false;
  const values = Object.entries(previous.values);
  if (values.length === 0 && !previous.isPart) return false;
  // A field that is missing has no value, like one that is null.
  return values.every(
    ([name, value]) => canonical(value ?? null) === canonical(state[name] ?? null),
  );
}

function leadsTo(
  from: Version,
  to: Version,
  after: ReadonlyMap<Version, readonly Version[]>,
): boolean {
  const reached = new Set([from]);
  // A set visits what is added meanwhile.
  for (const each of reached) for (const next of after.get(each) ?? []) reached.add(next);
  return reached.has(to);
}
