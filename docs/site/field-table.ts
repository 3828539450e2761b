import type { Json } from "../machine/shapes.ts";
import { cell, mark, table, stringField } from "./markdown.ts";

/** Returns a link to a record on the same page, or the record if it has no place of its own. */
export type LinkTo = (record: string) => string | Json;

const HEAD = ["field", "type", "what it is"];
const NUMBER = new Intl.NumberFormat("en");
const FORMATS: Readonly<Record<string, string>> = {
  uuid: "GUID",
  "date-time": "ISO 8601",
  email: "e-mail address",
  uri: "URL",
  password: "text",
};

/** Returns a table of an object's fields, including those of unnamed inner objects. It is empty if there are none. */
export function fieldTable(schema: Json, link: LinkTo): string {
  return table(HEAD, rowsOf(schema, link, ""));
}

function rowsOf(schema: Json, link: LinkTo, prefix: string): string[][] {
  const required = new Set(schema["required"] as string[] | undefined);
  return Object.entries(fieldsOf(schema)).flatMap(([name, value]) => {
    const field = resolve(value, link);
    return [
      [
        `\`${prefix}${name}\`${required.has(name) ? "" : ` ${mark("optional")}`}`,
        cell(describeType(field, link)),
        [cell(stringField(field, "description")), marks(field, link)].filter(Boolean).join(" "),
      ],
      ...innerRows(field, link, `${prefix}${name}`),
    ];
  });
}

function innerRows(field: Json, link: LinkTo, path: string): string[][] {
  if (field["type"] === "array")
    return innerRows(resolve(field["items"] as Json, link), link, `${path}[]`);
  return ((field["anyOf"] as Json[] | undefined) ?? [field])
    .map((each) => resolve(each, link))
    .filter((each) => "properties" in each)
    .flatMap((record) => rowsOf(record, link, `${path}.`));
}

/** Replaces a reference by its record if that has no place of its own. */
function resolve(schema: Json, link: LinkTo): Json {
  const target = "$ref" in schema ? link(recordIn(schema)) : schema;
  return typeof target === "string" ? schema : target;
}

function recordIn({ $ref }: Json): string {
  return String($ref).replace(/.*\//, "");
}

function fieldsOf(schema: Json): Readonly<Record<string, Json>> {
  return (schema["properties"] ?? {}) as Readonly<Record<string, Json>>;
}

function marks(field: Json, link: LinkTo): string {
  const parts = ((field["anyOf"] as Json[] | undefined) ?? []).concat(field);
  const kinds = new Set(parts.map((part) => resolve(part, link)["x-sensitivity"]));
  return [
    kinds.has("secret") && mark("secret"),
    kinds.has("personal") && mark("personal data"),
    field["deprecated"] === true && "Deprecated.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** Describes a type in words. */
export function describeType(schema: Json, link: LinkTo): string {
  if ("$ref" in schema) {
    const target = link(recordIn(schema));
    return typeof target === "string" ? target : describeType(target, link);
  }
  const members = (schema["anyOf"] ?? schema["oneOf"]) as Json[] | undefined;
  if (members !== undefined)
    return [...new Set(members.map((each) => describeType(each, link)))].join(" or ");
  if ("const" in schema) return code(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map(code).join(", ");
  const types = [schema["type"] ?? "anything"].flat().map((type) => nameOf(type, schema, link));
  return `${types.join(" or ")}${limitsOf(schema)}${examplesOf(schema)}`;
}

function nameOf(type: unknown, schema: Json, link: LinkTo): string {
  switch (type) {
    case "array":
      return `list of ${describeType((schema["items"] ?? {}) as Json, link)}`;
    case "string":
      return FORMATS[String(schema["format"])] ?? "text";
    case "integer":
      return "integer";
    case "number":
      return "number";
    case "object":
      return "object";
    default:
      return String(type);
  }
}

function limitsOf(schema: Json): string {
  const range = (least: unknown, most: unknown, unit: string): string => {
    if (least === undefined && most === undefined) return "";
    if (most === undefined) return `, at least ${NUMBER.format(Number(least))}${unit}`;
    if (least === undefined) return `, at most ${NUMBER.format(Number(most))}${unit}`;
    return `, ${NUMBER.format(Number(least))} to ${NUMBER.format(Number(most))}${unit}`;
  };
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, exclusiveMinimum } =
    schema as Readonly<Record<string, unknown>>;
  // The description explains a longer pattern in words.
  const pattern = stringField(schema, "pattern");
  return [
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, ""),
    range(minimum, maximum, ""),
    exclusiveMinimum === undefined ? "" : `, above ${exclusiveMinimum as number}`,
    pattern.length > 0 && pattern.length <= 30 ? `, ${code(pattern)}` : "",
  ].join("");
}

function examplesOf(schema: Json): string {
  const examples = schema["examples"] as unknown[] | undefined;
  return examples === undefined ? "" : ` such as ${examples.map(code).join(", ")}`;
}

function code(value: unknown): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}
