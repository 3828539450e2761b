import { parse, stringify } from "./json.ts";

/** A field of a record, as a form shows it. */
export interface FormField {
  readonly name: string;
  readonly kind: "string" | "number" | "boolean" | "json";
  /** The known values. */
  readonly choices: readonly string[];
  /** Whether other values are allowed too. */
  readonly isOpen: boolean;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Returns the fields of the record in an event: those of its schema, and those that only the sample has. */
export function fieldsOf({
  schema,
  data,
}: {
  readonly schema: object;
  readonly data: unknown;
}): FormField[] {
  const { properties = {} } = schema as Schema;
  const declared = mergedProperties(properties["object"] ?? {});
  const sample = ((data as { object?: unknown } | null)?.object ?? {}) as Record<string, unknown>;
  const names = new Set([...Object.keys(sample), ...Object.keys(declared)]);
  return [...names].map((name) => toField(name, declared[name] ?? schemaOf(sample[name])));
}

/** The properties of a record, or of all members of a union. */
function mergedProperties(schema: Schema): Readonly<Record<string, Schema>> {
  const members = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return Object.assign({}, ...members.map(mergedProperties), schema.properties) as Record<
    string,
    Schema
  >;
}

function schemaOf(value: unknown): Schema {
  return value === null || typeof value === "object" ? {} : { type: typeof value };
}

function toField(name: string, schema: Schema): FormField {
  const leaves = leavesOf(schema);
  const choices = leaves.flatMap(({ enum: values = [], const: only }) =>
    [...values, ...(only === undefined ? [] : [only])]
      .filter((value) => value !== null)
      .map(String),
  );
  const types = new Set(leaves.flatMap(({ type = [] }) => type).filter((type) => type !== "null"));
  const isOpen = leaves.some(
    ({ type, enum: values, const: only }) =>
      type !== "null" && values === undefined && only === undefined,
  );
  if (types.has("object") || types.has("array") || types.size === 0)
    return { name, kind: choices.length > 0 ? "string" : "json", choices, isOpen };
  if (types.has("boolean"))
    return { name, kind: "boolean", choices: ["true", "false"], isOpen: false };
  const isNumber = types.has("integer") || types.has("number");
  return { name, kind: isNumber && !types.has("string") ? "number" : "string", choices, isOpen };
}

function leavesOf(schema: Schema): Schema[] {
  const members = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return members.length === 0 ? [schema] : members.flatMap(leavesOf);
}

type Data = Readonly<Record<string, unknown>>;

/** Reads a field of the record as the string in its form. */
export function readField({ object }: Data, { name, kind }: FormField): string {
  const value = (object as Data | undefined)?.[name];
  if (value === undefined) return "";
  return typeof value === "string" && kind !== "json" ? value : stringify(value);
}

/** Returns the data with a field changed. An empty string leaves the field out. */
export function writeField(data: Data, { name, kind }: FormField, text: string): Data {
  const { [name]: _before, ...others } = (data["object"] ?? {}) as Data;
  if (text === "") return { ...data, object: others };
  return {
    ...data,
    object: { ...(data["object"] as Data), [name]: kind === "string" ? text : parsed(text) },
  };
}

/** A string that is not JSON stays a string. */
function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return text;
  }
}
