import type * as z from "@fieldmesh/core/internal/zod";
import { isRecord } from "@fieldmesh/core/internal";
import { isDrift, kindsOf } from "@fieldmesh/core/internal/schema";
import type { Endpoint } from "../table/row.ts";
import type { Problem } from "../errors/problem.ts";

/** Tells whether a row is a write whose response body the contract does not show. */
export function isUnshown({ open }: Pick<Endpoint, "open">): boolean {
  return open === "optional" || open === "lookUp";
}

/** Returns why the response to such a write has no record, so that the output is `undefined`; `undefined` for a record. */
export function whyNoRecord(
  { open, result }: Endpoint,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): Problem | undefined {
  if (value === undefined) return { path: "", message: "is empty" };
  if (value === null) return { path: "", message: "is null" };
  const schema = result as z.core.$ZodType;
  // The record is looked up if a part is missing. Parts that are guesses may have any form.
  const isFit = issues.every((issue) => isDrift(schema, issue));
  if (isFit || (open === "optional" && accepts(schema, value))) return undefined;
  return { path: "", message: `is ${article(value)}, and not the record` };
}

/** Tells whether a schema accepts values of this type, whatever they contain. */
function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  const type = Array.isArray(value) ? "array" : isRecord(value) && "object";
  return kindsOf(schema).kinds.some(({ _zod }) => _zod.def.type === type);
}

function article(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
