import { TYPESCRIPT } from "../documents/json-schema.ts";
import { OBSERVED } from "../documents/observed-rules.ts";
import type { Json } from "../documents/shapes.ts";
import { cell, code, mark, table, stringField } from "./markdown.ts";

/** Returns the address of a record's section, or the record if it has no section. */
export type LinkTo = (record: string) => string | Json;

/** A field of an object or of an unnamed object in it. */
export interface Field {
  /** Such as `data.object.id`, or `labels[].id`. */
  readonly path: string;
  readonly schema: Json;
  readonly isRequired: boolean;
}

const HEAD = ["field", "type", "description"];
const NUMBER = new Intl.NumberFormat("en");
/** More known values than these say little. */
const MOST_EXAMPLES = 12;
const LONGEST_TYPE = 60;
/** An integer of any size as a string. */
const DIGITS = "^-?\\d+$";
const FORMATS: Readonly<Record<string, string>> = {
  uuid: "UUID",
  "date-time": "ISO 8601",
  email: "email address",
  uri: "URL",
};

/** Returns a table of an object's fields, including those of unnamed inner objects. It is empty if there are none. */
export function fieldTable(schema: Json, link: LinkTo): string {
  return tableOf(fieldsOf(schema, link), link);
}

/** Returns a table of fields. */
export function tableOf(fields: readonly Field[], link: LinkTo): string {
  return table(
    HEAD,
    fields.map(({ path, schema, isRequired }) => [
      `${code(path)}${isRequired ? "" : ` ${mark("optional")}`}`,
      typeCell(schema, link),
      [cell(textOf(schema, link)), marks(schema, link)].filter(Boolean).join(" "),
    ]),
  );
}

/** Lists the fields of an object, each before those of the unnamed object that it holds. */
export function fieldsOf(schema: Json, link: LinkTo, prefix = ""): Field[] {
  const required = new Set(schema["required"] as string[] | undefined);
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Json>>;
  return Object.entries(properties).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    return [
      { path, schema: value, isRequired: required.has(name) },
      ...innerFields(value, link, path),
    ];
  });
}

function innerFields(value: Json, link: LinkTo, path: string): Field[] {
  const field = resolve(value, link);
  if (field["type"] === "array") return innerFields(field["items"] as Json, link, `${path}[]`);
  return membersOf(field, link)
    .filter((each) => "properties" in each)
    .flatMap((record) => fieldsOf(record, link, `${path}.`));
}

function membersOf(field: Json, link: LinkTo): Json[] {
  return ((field["anyOf"] as Json[] | undefined) ?? [field]).map((each) => resolve(each, link));
}

/** Replaces a reference by its record if that has no section. */
function resolve(schema: Json, link: LinkTo): Json {
  const target = "$ref" in schema ? link(recordIn(schema)) : schema;
  return typeof target === "string" ? schema : target;
}

/** The text of a field, or else of what it holds. */
function textOf(schema: Json, link: LinkTo): string {
  const texts = [schema, ...membersOf(schema, link)].map((each) =>
    stringField(each, "description"),
  );
  const text = texts.find((each) => each !== "");
  if (text !== undefined) return text;
  return "items" in schema ? textOf(schema["items"] as Json, link) : "The record.";
}

function recordIn({ $ref }: Json): string {
  return String($ref).replace(/.*\//, "");
}

function marks(field: Json, link: LinkTo): string {
  const parts = [...membersOf(field, link), field];
  const kinds = new Set(parts.map((part) => part["x-sensitivity"]));
  return [
    kinds.has("secret") && mark("secret"),
    kinds.has("personal") && mark("personal data"),
    field["deprecated"] === true && "Deprecated.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** The type in TypeScript, and below it the type in JSON if that says more. */
export function typeCell(schema: Json, link: LinkTo, typescript?: string): string {
  const wire = describeType(schema, link);
  const type = shortType(typescript ?? stringField(schema, TYPESCRIPT));
  // The link to a record says both.
  if (type === "" || wire.includes("](")) return cell(wire);
  if (/^(object|any JSON)( or null)?$/.test(wire) || plain(type) === plain(wire))
    return cell(code(type));
  return `${cell(code(type))}<br><small class="fm-wire">JSON: ${cell(wire)}</small>`;
}

function plain(type: string): string {
  return type.replaceAll(" | ", " or ").replace(/["`]/g, "");
}

/** Describes a JSON type in words. */
export function describeType(schema: Json, link: LinkTo): string {
  if ("$ref" in schema) {
    const name = recordIn(schema);
    const target = link(name);
    return typeof target === "string" ? `[${name}](${target})` : describeType(target, link);
  }
  const members = (schema["anyOf"] ?? schema["oneOf"]) as Json[] | undefined;
  if (members !== undefined)
    return [...new Set(members.map((each) => describeType(each, link)))]
      .toSorted((left, right) => placeOf(left) - placeOf(right))
      .join(" or ");
  if ("const" in schema) return code(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map(code).join(", ");
  const types = [schema["type"] ?? "any JSON"].flat().map((type) => nameOf(type, schema, link));
  const type = `${types.join(" or ")}${limitsOf(schema)}${examplesOf(schema)}`;
  return `${type}${observedOf(schema, link)}`;
}

/** "array of A or B" would read as an array of both. */
function placeOf(type: string): number {
  if (type === "null") return 2;
  return type.startsWith("array of ") ? 1 : 0;
}

function nameOf(type: unknown, schema: Json, link: LinkTo): string {
  if (type === "array") return `array of ${describeType((schema["items"] ?? {}) as Json, link)}`;
  const isDigits = schema["pattern"] === DIGITS;
  const format = isDigits ? "digits" : FORMATS[type === "string" ? String(schema["format"]) : ""];
  return format === undefined ? String(type) : `string (${format})`;
}

function limitsOf(schema: Json): string {
  const range = (least: unknown, most: unknown, unit: string): string => {
    if (least === undefined && most === undefined) return "";
    const units = unit === "" ? "" : ` ${unit}${(most ?? least) === 1 ? "" : "s"}`;
    if (most === undefined) return `, at least ${NUMBER.format(Number(least))}${units}`;
    if (least === undefined) return `, at most ${NUMBER.format(Number(most))}${units}`;
    return `, ${NUMBER.format(Number(least))} to ${NUMBER.format(Number(most))}${units}`;
  };
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, exclusiveMinimum } =
    schema as Readonly<Record<string, unknown>>;
  // The description explains a longer pattern in words.
  const pattern = stringField(schema, "pattern");
  return [
    range(minLength, maxLength, "character"),
    range(minItems, maxItems, "item"),
    range(minimum, maximum, ""),
    exclusiveMinimum === undefined ? "" : `, above ${exclusiveMinimum as number}`,
    pattern !== DIGITS && pattern.length > 0 && pattern.length <= 30 ? `, ${code(pattern)}` : "",
  ].join("");
}

function examplesOf(schema: Json): string {
  const examples = schema["examples"] as unknown[] | undefined;
  if (examples === undefined) return "";
  const more = examples.length - MOST_EXAMPLES;
  const shown = examples.slice(0, MOST_EXAMPLES).map(code).join(", ");
  return `, such as ${shown}${more > 0 ? `, and ${more} more` : ""}`;
}

/** What running deployments check or use beyond the contract: " (observed: at most 50 characters)". */
function observedOf(schema: Json, link: LinkTo): string {
  const rules = schema[OBSERVED] as Json | true | undefined;
  // The text of a field that is only marked says what was observed.
  if (rules === undefined || rules === true) return "";
  const { examples = [], enum: values = examples } = rules as Record<string, unknown[]>;
  const type = "type" in rules ? [describeType(rules, link)] : limitsOf(rules).split(", ").slice(1);
  const parts = [...type, ...values.slice(0, MOST_EXAMPLES).map(code)];
  return parts.length === 0 ? "" : ` (observed: ${parts.join(", ")})`;
}

/** Shortens a type that TypeScript prints: what an inner object holds is in rows of its own. */
function shortType(type: string): string {
  const short = type
    .replace(/ \| undefined\b/g, "")
    .replace(/OpenEnum<[^>]*>/g, "string")
    .replace(/(?:"[^"]*" \| )+\(string & \{\}\)/g, "string");
  if (!short.includes("{") && short.length <= LONGEST_TYPE) return short;
  const isList = /\[\](?: \| null)?$/.test(short);
  return `${isList ? "object[]" : "object"}${short.endsWith("| null") ? " | null" : ""}`;
}
