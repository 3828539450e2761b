import type * as z from "../zod.ts";
import { getOrInsertComputed } from "../get-or-insert-computed.ts";
import { innerOf } from "./children.ts";
import { sensitivityOf } from "./registry.ts";

const cache = new WeakMap<z.core.$ZodType, ReadonlySet<string>>();

/**
 * Returns the names of all secret fields that a schema declares, at any depth. If a record is at another place than the schema
 * says, such as in an envelope, these names still tell what must become a Secret.
 */
export function secretNames(schema: z.core.$ZodType): ReadonlySet<string> {
  return getOrInsertComputed(cache, schema, () => {
    const names = new Set<string>();
    addNames(schema, undefined, names, new Set());
    return names;
  });
}

function addNames(
  schema: z.core.$ZodType,
  name: string | undefined,
  names: Set<string>,
  seen: Set<z.core.$ZodType>,
): void {
  if (name !== undefined && sensitivityOf(schema) === "secret") names.add(name);
  if (seen.has(schema)) return;
  seen.add(schema);
  const add = (part: z.core.$ZodType, its = name): void => addNames(part, its, names, seen);
  const inner = innerOf(schema);
  if (inner !== undefined) return add(inner);
  const def = (schema as z.core.$ZodTypes)._zod.def;
  switch (def.type) {
    case "object":
      return Object.entries(def.shape).forEach(([key, field]) => add(field, key));
    case "array":
      return add(def.element);
    case "record":
      return add(def.valueType);
    case "tuple":
      return def.items.forEach((item) => add(item));
    case "union":
      return def.options.forEach((option) => add(option));
    case "intersection":
      return [def.left, def.right].forEach((side) => add(side));
    case "pipe":
      return [def.in, def.out].forEach((side) => add(side));
    default:
  }
}
