import type * as z from "../zod.ts";

type Def = z.core.$ZodTypes["_zod"]["def"];

/** Removes the wrappers that only say that a value may be missing or wrong, and returns the schema of the value itself. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = innerOf(schema);
  return inner === undefined ? schema : unwrap(inner);
}

/** Returns the schema inside a wrapper that only says that a value may be missing or wrong. */
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
    // Stryker disable next-line ConditionalExpression: A function that ends without return returns undefined.
    default:
      return undefined;
  }
}

/** The schema of a child, and whether the parent declares the name of that child. */
export interface Child {
  readonly schema: z.core.$ZodType | undefined;
  readonly isNamed: boolean;
}

/**
 * Rebuilds a value. Replaces each child with what `visit` returns for the child and its schema.
 *
 * A child without a declared schema is visited without one. A scalar is returned unchanged.
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

/** Returns the schema of the child at a key or an index, if the schema of the parent declares one. */
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
  // The response has a list in place of one record: each item is read as that record, so that its secrets are found.
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
    // The response has a record in place of a list.
    case "array":
      return fieldOf(unwrap(def.element), key);
    default:
      return UNKNOWN;
  }
}

/** A schema of any value declares as little as an undeclared field. */
function known(child: Child): Child {
  const type = (child.schema?._zod.def as Def | undefined)?.type;
  return type === "unknown" || type === "any" ? UNKNOWN : child;
}

/** Tells whether a value is an object with only its own members: not a date, a Secret or a map. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
