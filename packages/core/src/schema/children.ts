import type * as z from "zod/mini";

type Def = z.core.$ZodTypes["_zod"]["def"];

/** Removes what only says that a value may be missing or wrong, so that the walk meets what the value is. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = innerOf(schema);
  return inner === undefined ? schema : unwrap(inner);
}

/** The schema inside of one that only says that a value may be missing or wrong. */
export function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const def = schema._zod.def as Def;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "readonly":
    case "default":
    case "prefault":
    case "catch":
    case "nonoptional":
      return def.innerType;
    case "lazy":
      return def.getter();
    default:
      return undefined;
  }
}

/** The schema of a child, and whether the parent declares the child's name. */
export interface Child {
  readonly schema: z.core.$ZodType | undefined;
  readonly isNamed: boolean;
}

/**
 * Rebuilds a value with every child replaced by what `visit` makes of it and of the child's schema.
 *
 * A child whose schema is not declared, or says nothing of it, is visited without one. A scalar comes back as it is.
 */
export function mapChildren(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  visit: (child: Child, value: unknown, key: string) => unknown,
): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => visit(known(itemOf(schema, index)), item, String(index)));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      visit(known(fieldOf(schema, key)), child, key),
    ]),
  );
}

/** The schema of the child at a key or an index, if the schema of the parent says anything of it. */
export function childAt(
  schema: z.core.$ZodType | undefined,
  key: PropertyKey,
): z.core.$ZodType | undefined {
  return (typeof key === "number" ? itemOf(schema, key) : fieldOf(schema, String(key))).schema;
}

const UNKNOWN: Child = { schema: undefined, isNamed: false };

function itemOf(schema: z.core.$ZodType | undefined, index: number): Child {
  const def = schema?._zod.def as Def | undefined;
  if (def?.type === "array") return { schema: def.element, isNamed: true };
  if (def?.type === "tuple")
    return { schema: def.items[index] ?? def.rest ?? undefined, isNamed: true };
  // A list came in place of one record: each item is taken for that record, so that its secrets are found.
  return def?.type === "object" ? { schema, isNamed: true } : UNKNOWN;
}

function fieldOf(schema: z.core.$ZodType | undefined, key: string): Child {
  const def = schema?._zod.def as Def | undefined;
  switch (def?.type) {
    case "object":
      return Object.hasOwn(def.shape, key)
        ? { schema: def.shape[key], isNamed: true }
        : { schema: def.catchall, isNamed: false };
    case "record":
      return { schema: def.valueType, isNamed: false };
    case "intersection": {
      const left = fieldOf(unwrap(def.left), key);
      return known(left).isNamed ? left : fieldOf(unwrap(def.right), key);
    }
    // A record came in place of a list.
    case "array":
      return fieldOf(unwrap(def.element), key);
    default:
      return UNKNOWN;
  }
}

/** What a schema of anything holds is as open as what nobody declared. */
function known(child: Child): Child {
  const type = (child.schema?._zod.def as Def | undefined)?.type;
  return type === "unknown" || type === "any" ? UNKNOWN : child;
}

/** Tells whether a value is an object of its own members alone: no date, no Secret, no map. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
