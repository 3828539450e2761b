import { sensitiveFields } from "@fieldmesh/core/internal/schema";
import type ts from "typescript";
import * as z from "zod";

/** A JSON object. */
export type Json = { readonly [key: string]: unknown };

/** An object of which nothing is known. */
export const openObject: Json = { type: "object", additionalProperties: true };

/** Which way a value goes: a secret that is only sent is `writeOnly`, one that is only returned `readOnly`. */
export type Direction = "request" | "response" | "none";

/** Says of a sensitive value what it is. */
export function marked(schema: z.core.$ZodType, shape: Json, direction: Direction): Json {
  const sensitivity = sensitiveFields.get(schema as z.ZodType)?.sensitivity;
  if (sensitivity === undefined) return shape;
  return {
    ...shape,
    ...(sensitivity === "secret" && shape["type"] === "string" && { format: "password" }),
    ...(sensitivity === "secret" && direction === "request" && { writeOnly: true }),
    ...(sensitivity === "secret" && direction === "response" && { readOnly: true }),
    "x-sensitivity": sensitivity,
  };
}

/**
 * A schema without parts, as zod writes it, without what holds of every JavaScript number or says the same twice. It has no least
 * length and no least number either: with those, our clients find mistakes, but the contract states none.
 */
export function leafShape(schema: z.core.$ZodType): Json {
  const {
    $schema: _,
    minimum: _least,
    minLength: _shortest,
    maximum,
    pattern,
    ...rest
  } = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: "input",
    unrepresentable: "any",
  });
  return {
    ...rest,
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(pattern !== undefined && rest.format !== "uuid" && !hasFlags(schema) && { pattern }),
  };
}

/** JSON Schema's patterns have no flags: without its `i` a pattern would reject valid values. */
function hasFlags(schema: z.core.$ZodType): boolean {
  const { checks = [] } = schema._zod.def;
  return checks.some((check) => {
    const { pattern } = check._zod.def as { pattern?: RegExp };
    return pattern !== undefined && pattern.flags !== "";
  });
}

/** The known values of an open enum. */
export function withExamples(shape: Json, members: readonly ts.Type[]): Json {
  const isOpen = members.some((member) => member.isIntersection());
  const known = members.flatMap((member) => (member.isStringLiteral() ? [member.value] : []));
  const isKnown = "examples" in shape || shape["type"] !== "string";
  // Sorted, because the compiler's own order changes with what else it has read.
  return isOpen && known.length > 0 && !isKnown ? { ...shape, examples: known.sort() } : shape;
}

/** Any of some schemas, each once. */
export function anyOf(schemas: readonly Json[]): Json {
  const flat = schemas.flatMap((schema) =>
    Object.keys(schema).join() === "anyOf" ? (schema["anyOf"] as Json[]) : [schema],
  );
  const [first = {}, ...more] = new Map(flat.map((each) => [JSON.stringify(each), each])).values();
  return more.length === 0 ? first : { anyOf: [first, ...more] };
}

/** The same, or null. */
export function orNull(shape: Json): Json {
  const { type, ...rest } = shape;
  const isPlain = typeof type === "string" && !("const" in rest) && !("enum" in rest);
  if (isPlain) return { type: [type, "null"], ...rest };
  return anyOf([shape, { type: "null" }]);
}

/** What is left when a field may be missing. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const def = schema._zod.def as z.core.$ZodTypes["_zod"]["def"];
  return def.type === "optional" ? unwrapped(def.innerType) : schema;
}

/** Whether a schema has no shape that zod could tell. */
export function isCustom(schema: z.core.$ZodType): boolean {
  return (schema._zod.def as z.core.$ZodTypes["_zod"]["def"]).type === "custom";
}
