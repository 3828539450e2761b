import { OBSERVED } from "./observed-rules.ts";
import type { Json } from "./shapes.ts";

const COMPONENT = "#/components/schemas/";
/** The draft that `new Ajv()` and editors know without an option. */
const DRAFT = "http://json-schema.org/draft-07/schema#";
const UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";

/**
 * Writes a schema as a document of its own, with the records in it.
 *
 * It has no keyword and no format beyond draft 7, because `new Ajv()` rejects those that it does not know.
 */
export function standAlone(schema: Json, components: Readonly<Record<string, Json>>): Json {
  const needed = new Map<string, Json>();
  const refer = (reference: unknown): string => {
    const name = String(reference).slice(COMPONENT.length);
    const component = components[name];
    if (component === undefined) throw new Error(`There is no record ${name}.`);
    if (!needed.has(name)) {
      // Known before it is walked, for a record that refers to itself.
      needed.set(name, {});
      needed.set(name, toDraft7(component, refer));
    }
    return `#/definitions/${name}`;
  };
  const rewritten = toDraft7(schema, refer);
  const records = [...needed].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    $schema: DRAFT,
    ...rewritten,
    ...(records.length > 0 && { definitions: Object.fromEntries(records) }),
  };
}

function toDraft7(schema: Json, refer: (reference: unknown) => string): Json {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    return isObject(value) ? toDraft7(value, refer) : value;
  };
  const comments = [
    ...("x-sensitivity" in schema ? [`sensitivity: ${String(schema["x-sensitivity"])}`] : []),
    ...(OBSERVED in schema ? [`observed: ${JSON.stringify(schema[OBSERVED])}`] : []),
  ];
  const keywords = Object.entries(schema).flatMap(([keyword, value]) => {
    switch (keyword) {
      case "$ref":
        return [["$ref", refer(value)]];
      case "properties":
        return [["properties", mapValues(value as Json, visit)]];
      case "x-sensitivity":
      case OBSERVED:
        return [["$comment", comments.join("; ")]];
      case "format":
        return value === "uuid" ? [["pattern", UUID]] : [];
      case "const":
      case "enum":
      case "examples":
        return [[keyword, value]];
      default:
        return [[keyword, visit(value)]];
    }
  });
  const { $ref, ...others } = Object.fromEntries(keywords) as Json;
  if ($ref === undefined) return others;
  // Draft 7 ignores what is beside a $ref.
  return Object.keys(others).length === 0 ? { $ref } : { allOf: [{ $ref }], ...others };
}

function mapValues(object: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}
