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

/** Returns the schema of the child at a key or an index, if the schema of the parent declares one. */
export function childAt(
  schema: z.core.$ZodType | undefined,
  key: PropertyKey,
): z.core.$ZodType | undefined {
  const def = schema?._zod.def as Def | undefined;
  const isIndex = typeof key === "number";
  switch (def?.type) {
    case "object":
      // The response has a list in place of one record: each item is read as that record, so that its secrets are found.
      if (isIndex) return schema;
      return Object.hasOwn(def.shape, key) ? def.shape[String(key)] : def.catchall;
    case "array":
      // The response has a record in place of a list.
      return isIndex ? def.element : childAt(unwrap(def.element), key);
    case "tuple":
      return isIndex ? (def.items[key] ?? def.rest ?? undefined) : undefined;
    case "record":
      return isIndex ? undefined : def.valueType;
    case "intersection": {
      const left = childAt(unwrap(def.left), key);
      return isOpen(left) ? childAt(unwrap(def.right), key) : left;
    }
    default:
      return undefined;
  }
}

/** Tells whether a schema declares nothing. One of any value declares as little as an undeclared field. */
export function isOpen(schema: z.core.$ZodType | undefined): boolean {
  const type = (schema?._zod.def as Def | undefined)?.type;
  return type === undefined || type === "unknown" || type === "any";
}

/** Replaces children of a list or a record, and copies it only if one changes. Returns any other value itself. */
export function mapChildren(
  value: unknown,
  change: (child: unknown, key: string | number) => unknown,
): unknown {
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value)) return value;
  let copy: object | undefined;
  for (const key of Object.keys(value)) {
    const child = (value as Readonly<Record<string, unknown>>)[key];
    const changed = change(child, isList ? Number(key) : key);
    if (changed === child) continue;
    copy ??= isList ? [...(value as unknown[])] : { ...value };
    // A service may name a field `__proto__`.
    const field = { value: changed, configurable: true, enumerable: true, writable: true };
    Object.defineProperty(copy, key, field);
  }
  return copy ?? value;
}

/** Tells whether a value is an object with only its own members: not a date, a Secret or a map. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
