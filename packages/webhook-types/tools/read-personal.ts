import { join } from "node:path";
import type * as z from "zod/mini";
import { innerOf } from "../../core/src/schema/children.ts";
import { sensitivityOf, type Sensitivity } from "../../core/src/schema/registry.ts";
import { isSignedLink } from "../src/events/fields.ts";
import { familyOf } from "../src/events/pattern.ts";
import type { SchemaFile } from "./read-schemas.ts";

/** What the schemas say about the personal fields of objects. */
export interface Personal {
  /** Family and path, such as `cpni.agent.email`. `sms.*` if all objects of the family are personal as a whole. */
  readonly fields: readonly string[];
  /** The names of signed links. */
  readonly links: readonly string[];
  /** The fields without a mark, of each type whose object is marked as a whole. */
  readonly declared: Readonly<Record<string, readonly string[]>>;
}

/** Asks the schemas themselves, because one may include another. */
export function readPersonal(data: readonly DataOfType[]): Personal {
  const objects = data.map(({ type, schema }) => ({
    type,
    object: shapeOf(schema)["object"] ?? fail(type),
  }));
  const fields = new Set<string>();
  const links = new Set<string>();
  const declared: Record<string, readonly string[]> = {};
  for (const { type, object } of objects) {
    const marks = marksIn(object, "");
    for (const { path, isLink } of marks)
      if (path !== "")
        if (isLink) links.add(path);
        else fields.add(`${familyOf(type)}.${path}`);
    if (marks.some(({ path }) => path === ""))
      declared[type] = Object.keys(shapeOf(object)).filter(
        (name) => !marks.some(({ path }) => path === name),
      );
  }
  const isWhole = (family: string) =>
    objects.every(({ type }) => familyOf(type) !== family || declared[type] !== undefined);
  for (const type of Object.keys(declared))
    if (isWhole(familyOf(type))) fields.add(`${familyOf(type)}.*`);
  return { fields: [...fields].sort(), links: [...links].sort(), declared };
}

function fail(type: string): never {
  throw new Error(`The data of ${type} has no object.`);
}

function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const inner = innerOf(schema);
  if (inner !== undefined) return shapeOf(inner);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "object" ? def.shape : {};
}

interface Mark {
  readonly path: string;
  readonly isLink: boolean;
}

/** The names of the secret fields of the data of an event, at any depth. */
export function secretsIn(schema: z.core.$ZodType): string[] {
  const names = marksIn(schema, "", "secret").map(({ path }) => path.split(".").at(-1) ?? "");
  return [...new Set(names)].sort();
}

/** The marks of a schema and of what is in it. Within a marked record, no further field is named. */
function marksIn(schema: z.core.$ZodType, path: string, mark: Sensitivity = "personal"): Mark[] {
  const isMarked = sensitivityOf(schema) === mark;
  const own = isMarked ? [{ path, isLink: isSignedLink(schema) }] : [];
  if (isMarked && path !== "") return own;
  const inner = innerOf(schema);
  if (inner !== undefined) return [...own, ...marksIn(inner, path, mark)];
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "array") return [...own, ...marksIn(def.element, path, mark)];
  const children = Object.entries(shapeOf(schema)).flatMap(([name, child]) =>
    marksIn(child, path === "" ? name : `${path}.${name}`, mark),
  );
  return [...own, ...children];
}

const schemas = join(import.meta.dirname, "..", "src", "events", "schemas");

/** The schema of the data of a type. */
interface DataOfType {
  readonly type: string;
  readonly schema: z.core.$ZodType;
}

/** Imports the schemas of all types: what they contain is not read from their source, because one may include another. */
export async function readData(files: readonly SchemaFile[]): Promise<DataOfType[]> {
  const found = await Promise.all(
    files.map(async ({ name, families }) => {
      const tables = (await import(join(schemas, `${name}.ts`))) as {
        readonly [table: string]: Readonly<Record<string, () => z.core.$ZodType>>;
      };
      return families
        .flatMap(({ table }) => Object.entries(tables[table] ?? {}))
        .map(([type, makeData]) => ({ type, schema: makeData() }));
    }),
  );
  return found.flat();
}
