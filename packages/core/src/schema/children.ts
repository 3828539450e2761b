import type * as z from "zod";

type Def = z.core.$ZodTypes["_zod"]["def"];

/** Removes what only says that a value may be missing, so that the walk meets what the value is. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  let current = schema;
  for (;;) {
    const def = current._zod.def as Def;
    switch (def.type) {
      case "optional":
      case "nullable":
      case "readonly":
      case "default":
      case "nonoptional":
        current = def.innerType;
        break;
      case "lazy":
        current = def.getter();
        break;
      default:
        return current;
    }
  }
}

/**
 * Rebuilds a value with every child replaced by what `visit` makes of it and of the child's schema.
 *
 * A child whose schema is not declared is visited without one. A scalar comes back as it is.
 */
export function mapChildren(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  visit: (schema: z.core.$ZodType | undefined, value: unknown, key: string) => unknown,
): unknown {
  const def = schema === undefined ? undefined : (schema._zod.def as Def);
  if (Array.isArray(value)) {
    const element = def?.type === "array" ? def.element : undefined;
    return value.map((item, index) => visit(element, item, String(index)));
  }
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, visit(childSchema(def, key), child, key)]),
  );
}

function childSchema(def: Def | undefined, key: string): z.core.$ZodType | undefined {
  if (def?.type === "object") return Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
  if (def?.type === "record") return def.valueType;
  return undefined;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
