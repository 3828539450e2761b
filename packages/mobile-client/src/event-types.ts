import * as z from "@fieldmesh/core/internal/zod";
import { recordOf } from "@fieldmesh/core/internal";
import { record } from "@fieldmesh/core/internal/schema";
import { endpoint, type Methods } from "@fieldmesh/http/internal";
import { usualErrors } from "./fields.ts";

const entryFields = record({
  /** The event type, such as `sim.activated`. */
  type: z.string(),
});

/** An event type in the list of the service. */
export interface EventTypeEntry extends z.output<typeof entryFields> {}

type WireEntry = string | z.input<typeof entryFields>;

// The published spec names the list but not its form: strings or records, alone or under `data`. Any other form is kept
// unchanged.
const list = z.codec(
  z.custom<WireEntry[] | { data: WireEntry[] }>(
    (wire) => listIn(wire) !== undefined,
    "expected a list",
  ),
  z.array(entryFields),
  {
    decode: (wire) =>
      listIn(wire)?.map((each) => (typeof each === "string" ? { type: each } : each)) as never,
    encode: (entries) => entries,
  },
) as z.core.$ZodType<
  EventTypeEntry[],
  (string | EventTypeEntry)[] | { data: (string | EventTypeEntry)[] }
>;

function listIn(wire: unknown): readonly WireEntry[] | undefined {
  const inner = Array.isArray(wire) ? wire : recordOf(wire)["data"];
  return Array.isArray(inner) ? inner : undefined;
}

/** The endpoints of event types, one row for each. The client makes the methods of `client.eventTypes` from them. */
export const eventTypes = {
  /**
   * List the current event types, which decide what `enabled_events` may contain. Pass the list to `checkCatalog` and
   * `validateEnabledEvents` of `@fieldmesh/webhook-types/subscription`.
   *
   * @throws An {@link ApiError} with 400, 401, 403 or 422 (observed). Its message explains the status
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const live = (await client.eventTypes.list()).map(({ type }) => type);
   * ```
   */
  list: endpoint("GET /v1/reference/event_types", {
    result: list,
    open: true,
    errors: usualErrors,
  }),
};

/** The current catalog of event types. */
export interface EventTypes extends Methods<typeof eventTypes> {}
