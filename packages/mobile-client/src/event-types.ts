import * as z from "zod/mini";
import { record } from "@fieldmesh/core/schema";
import { endpoint, type Methods } from "@fieldmesh/http";
import { usualErrors } from "./fields.ts";

const entryFields = record({ type: z.string() });

/** An event type as the service lists it. */
export interface EventTypeEntry extends z.output<typeof entryFields> {}

type WireEntry = string | z.input<typeof entryFields>;
type WireList = WireEntry[] | { data: WireEntry[] };

// The published spec names the list and not its form: texts or records, alone or under `data`.
const list = z.codec(z.custom<WireList>(), z.array(entryFields), {
  decode: (wire) => listOf(wire).map((each) => (typeof each === "string" ? { type: each } : each)),
  encode: (entries) => entries,
}) as z.core.$ZodType<EventTypeEntry[], WireList>;

/** Wraps a value that is not a list, so that the schema behind this rejects it. */
function listOf(wire: WireList): WireEntry[] {
  const inner = Array.isArray(wire) ? wire : (wire as { data?: unknown } | null)?.data;
  return Array.isArray(inner) ? inner : [wire as never];
}

export const eventTypes = {
  /**
   * List the current event types: the authority for `enabled_events`. Pass it to `checkCatalog` and
   * `validateEnabledEvents` of `@fieldmesh/webhook-types/subscription`.
   *
   * @example
   * ```ts
   * const live = (await client.eventTypes.list()).map(({ type }) => type);
   * ```
   */
  list: endpoint("GET /v1/reference/event_types", {
    result: list,
    errors: usualErrors,
    sample: { input: {}, output: [{ type: "sim.activated" }, { type: "sim.suspended" }] },
  }),
};

/** The catalog of event types as the service has it now. */
export interface EventTypes extends Methods<typeof eventTypes> {}
