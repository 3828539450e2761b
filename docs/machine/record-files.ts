import type { Json } from "./shapes.ts";

const COMPONENT = "#/components/schemas/";
const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Writes a schema as a document that needs no other: the records in it come with it. */
export function standAlone(schema: Json, components: Readonly<Record<string, Json>>): Json {
  const needed = new Map<string, Json>();
  const rewritten = rewrite(schema, components, needed);
  const records = [...needed].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    $schema: DIALECT,
    ...rewritten,
    ...(records.length > 0 && { $defs: Object.fromEntries(records) }),
  };
}

function rewrite(
  schema: Json,
  components: Readonly<Record<string, Json>>,
  needed: Map<string, Json>,
): Json {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, key === "$ref" ? refer(item) : visit(item)]),
    );
  };
  const refer = (reference: unknown): string => {
    const name = String(reference).slice(COMPONENT.length);
    const component = components[name];
    if (component === undefined) throw new Error(`There is no record ${name}.`);
    if (!needed.has(name)) {
      // Known before it is walked, for a record that holds its like.
      needed.set(name, {});
      needed.set(name, visit(component) as Json);
    }
    return `#/$defs/${name}`;
  };
  return visit(schema) as Json;
}
