import * as z from "../zod.ts";

/** The kinds of schemas that contain schemas: object, array, map, optional value, union and codec. */
const HOLDS_SCHEMAS = new Set([
  "shape",
  "element",
  "valueType",
  "innerType",
  "options",
  "in",
  "out",
]);

type Replace = (part: z.core.$ZodType) => z.core.$ZodType;

/** Copies a schema with each inner schema replaced. Returns the schema itself if none changes. */
export function replaceParts(schema: z.core.$ZodType, replace: Replace): z.core.$ZodType {
  const { def } = schema._zod;
  const changed = Object.entries(def)
    .filter(([key]) => HOLDS_SCHEMAS.has(key))
    .map(([key, part]) => [key, part, replaceIn(part, replace)] as const)
    .filter(([, before, after]) => before !== after)
    .map(([key, , after]) => [key, after]);
  if (changed.length === 0) return schema;
  return z.clone(schema, { ...def, ...Object.fromEntries(changed) }, { parent: true });
}

/** Replaces in a schema, a list of schemas, or schemas by name. */
function replaceIn(part: object, replace: Replace): object {
  if ("_zod" in part) return replace(part as z.core.$ZodType);
  const entries = Object.entries(part as Readonly<Record<string, z.core.$ZodType>>);
  const replaced = entries.map(([key, schema]) => [key, replace(schema)] as const);
  if (replaced.every(([, schema], index) => schema === entries[index]?.[1])) return part;
  return Array.isArray(part) ? replaced.map(([, schema]) => schema) : Object.fromEntries(replaced);
}
