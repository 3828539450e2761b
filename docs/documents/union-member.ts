import ts from "typescript";
import type * as z from "zod";
import { isCustom, unwrapped } from "./shapes.ts";
import type { SourceTypes } from "./source-types.ts";

/** The member of a union that a schema is of: the one with most fields and literals in common. */
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
    Object.entries(def.shape).filter(([name, schema]) => {
      const field = types.field(member, name);
      const { values = [] } = schema._zod.def as { readonly values?: readonly unknown[] };
      if (field === undefined || isAbsent(field) !== isCustom(unwrapped(schema))) return false;
      const texts = types.members(field).map((each) => (each.isStringLiteral() ? each.value : ""));
      return texts.includes("")
        ? values.length === 0
        : texts.every((text) => values.includes(text));
    }).length;
  // Of two that are as close, the one with fewer fields of its own.
  const size = (member: ts.Type): number => member.getProperties().length;
  return [...members].sort((a, b) => closeness(b) - closeness(a) || size(a) - size(b))[0];
}

/** Whether the type is a string. */
export function isText({ flags }: ts.Type): boolean {
  return (flags & ts.TypeFlags.StringLike) !== 0;
}

/** A field that must be left out. */
export function isAbsent(type: ts.Type | undefined): boolean {
  return type !== undefined && (type.flags & ts.TypeFlags.Undefined) !== 0;
}
