import ts from "typescript";
import type * as z from "zod";
import { isCustom, unwrapped } from "./shapes.ts";
import type { SourceTypes } from "./source-types.ts";

/** The member of a union that a schema is of: the one with the same literals, then the one with most fields in common. */
export function memberFor(
  option: z.core.$ZodType,
  type: ts.Type | undefined,
  types: SourceTypes,
): ts.Type | undefined {
  const def = option._zod.def as z.core.$ZodTypes["_zod"]["def"];
  const members = types.members(type);
  if (def.type === "array") return members.find((each) => types.element(each) && !isText(each));
  if (def.type !== "object") return type;
  const closeness = (member: ts.Type): number =>
    Object.entries(def.shape).reduce((sum, [name, schema]) => {
      const field = types.field(member, name);
      if (field === undefined) return sum - 1;
      if (isAbsent(field)) return isCustom(unwrapped(schema)) ? sum + 1 : sum - 1;
      const literal = (schema._zod.def as { values?: readonly unknown[] }).values?.[0];
      if (literal === undefined) return field.isStringLiteral() ? sum - MUST : sum + 1;
      return field.isStringLiteral() && field.value === literal ? sum + MUST : sum - MUST;
    }, 0);
  return [...members].sort((a, b) => closeness(b) - closeness(a))[0];
}

/** More than any number of fields. */
const MUST = 1_000;

/** Whether the type is a string. */
export function isText({ flags }: ts.Type): boolean {
  return (flags & ts.TypeFlags.StringLike) !== 0;
}

/** A field that must be left out. */
export function isAbsent(type: ts.Type | undefined): boolean {
  return type !== undefined && (type.flags & ts.TypeFlags.Undefined) !== 0;
}
