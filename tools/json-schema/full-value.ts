import { timeOfStamp } from "../../packages/core/src/internal.ts";
/** The parts of a JSON Schema that the published documents use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
}

/** Returns the schema of a reference, such as `#/definitions/Sim`. */
export type Resolve = (reference: string) => JsonSchema;

/** Returns the members of a union, or the schema itself, with references resolved. Here, `allOf` has one member. */
function optionsOf(schema: JsonSchema, resolve: Resolve): JsonSchema[] {
  if (schema.$ref !== undefined) return optionsOf(resolve(schema.$ref), resolve);
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  return options === undefined ? [schema] : options.flatMap((each) => optionsOf(each, resolve));
}

/** A place in a value: its keys from the outside, and whether it contains a list. */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly isList: boolean;
}

/** A value, and the places in it with a declared type. */
export interface FullValue {
  readonly value: unknown;
  readonly places: readonly Place[];
}

/** Creates values with every field of a schema: for a union of n members, n values. Lists the places of each. */
export function fullValues(schema: JsonSchema, resolve: Resolve): FullValue[] {
  const values: FullValue[] = [];
  // Each value uses another member of every union. `make` finds out how many there are.
  for (let turn = 0, most = 1; turn < most; turn++) {
    const places: Place[] = [];
    const make = (each: JsonSchema, path: readonly (string | number)[]): unknown => {
      const options = optionsOf(each, resolve).filter(({ type }) => type !== "null");
      most = Math.max(most, options.length);
      const own = options[Math.min(turn, options.length - 1)] ?? { type: "null" };
      const type = typeOf(own);
      const isList = type === "array";
      if (
        path.length > 0 &&
        options.every(isTyped) &&
        (options.length < 2 || !options.some(isArray))
      )
        places.push({ path, isList });
      if (own.const !== undefined) return own.const;
      if (own.enum !== undefined) return own.enum[0];
      switch (type) {
        case "object":
          return objectOf(own, path);
        case "array":
          return [make(own.items ?? own.prefixItems?.[0] ?? {}, [...path, 0])];
        case "integer":
        case "number":
          return Math.max(1, own.minimum ?? 1, (own.exclusiveMinimum ?? 0) + 1);
        case "boolean":
          return true;
        case "null":
          return null;
        case "string":
          return TEXTS.find((text) => fits(text, own)) ?? "text";
        default:
          return "anything";
      }
    };
    const objectOf = (own: JsonSchema, path: readonly (string | number)[]): unknown => {
      const fields = Object.entries(own.properties ?? {});
      if (fields.length === 0 && typeof own.additionalProperties === "object")
        return { payment_v1: make(own.additionalProperties, [...path, "payment_v1"]) };
      return Object.fromEntries(fields.map(([key, field]) => [key, make(field, [...path, key])]));
    };
    values.push({ value: make(schema, []), places });
  }
  return values;
}

function typeOf({ type }: JsonSchema): string | undefined {
  const types = [type].flat();
  return types.find((one) => one !== "null") ?? types[0];
}

function isTyped(schema: JsonSchema): boolean {
  return typeOf(schema) !== undefined || schema.const !== undefined || schema.enum !== undefined;
}

function isArray(schema: JsonSchema): boolean {
  return typeOf(schema) === "array";
}

/** Each form that a document requires matches one of them. */
const TEXTS = [
  "text",
  "2026-11-20T08:30:00Z",
  "d2f0c5b1-6c0d-4f7e-8d39-51d1a2b3c4d5",
  "0004A30B001C0530",
  "2B7E151628AED2A6ABF7158809CF4F3C",
  "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G",
  "8c2681a3064d9ff",
  "5",
  "https://example.com/",
];

export function fits(text: string, { pattern, format, minLength = 0 }: JsonSchema): boolean {
  if (pattern !== undefined && !new RegExp(pattern).test(text)) return false;
  if (format === "date-time" && Number.isNaN(timeOfStamp(text))) return false;
  if (format === "uuid" && !/^[\da-f]{8}-/.test(text)) return false;
  if (format === "uri" && !URL.canParse(text)) return false;
  return text.length >= minLength;
}

/** Returns the value with a value of another type at a place. */
export function withWrongValue(value: unknown, { path, isList }: Place): unknown {
  return withValue(value, path, isList ? "no list" : [["no such value"]]);
}

/** Returns the name of the field at a place, also for an item of a list. */
export function fieldAt({ path }: Place): string {
  return path.findLast((key) => typeof key === "string") ?? "";
}

function withValue(
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
  other: unknown,
): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value))
    return value.map((item, index) => (index === key ? withValue(item, rest, other) : item));
  const record = value as Readonly<Record<string, unknown>>;
  return { ...record, [key]: withValue(record[key], rest, other) };
}
