import type * as z from "@fieldmesh/core/internal/zod";
import { recordOf } from "@fieldmesh/core/internal";
import { driftIssue } from "@fieldmesh/core/internal/schema";
import { carries, fits, isRedacted } from "../events/statements.ts";
import type { EventSource } from "../events/source.ts";

const DELIVERED: ReadonlyMap<string, string> = new Map([
  ["cpni.verification.requested", "code"],
  ["psim_order.paid", "shipping_address"],
  ["psim_order.created", "shipping_address"],
  ["psim_order.refunded", "shipping_address"],
  ["psim_order.canceled", "shipping_address"],
]);

/** Returns the drift of what only a delivered event has, according to the spec: its schema is also that of stored events. */
export function deliveredDrift(
  type: string,
  data: unknown,
  source: EventSource = "webhook",
  found: readonly z.core.$ZodIssue[],
): z.core.$ZodIssue[] {
  const name = DELIVERED.get(type);
  if (name === undefined || found.some(({ path }) => path.at(-1) === name)) return [];
  const statement =
    source === "webhook" ? carries(name) : fits(`object.${name}`, "a redacted value", isRedacted);
  return statement(recordOf(data)).map(
    ({ path = [], message = "" }) => driftIssue(["data", ...path], message) as z.core.$ZodIssue,
  );
}
