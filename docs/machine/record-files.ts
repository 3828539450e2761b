import type { Json } from "./shapes.ts";

const COMPONENT = "#/components/schemas/";
const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Writes a schema as a document that needs no other: the records that it refers to become its `$defs`. */
export function standAlone(schema: Json, components: Readonly<Record<string, Json>>): Json {
  const needed = new Set<string>();
  const collect = (part: Json): void => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(
      /"#\/components\/schemas\/([^"]+)"/g,
    )) {
      const component = components[name];
      if (component === undefined) throw new Error(`There is no record ${name}.`);
      if (!needed.has(name)) collect((needed.add(name), component));
    }
  };
  collect(schema);
  const records = [...needed].sort().map((name) => [name, components[name]] as const);
  const $defs = records.length > 0 && { $defs: Object.fromEntries(records) };
  const document = JSON.stringify({ $schema: DIALECT, ...schema, ...$defs });
  return JSON.parse(document.replaceAll(COMPONENT, "#/$defs/")) as Json;
}
