import { join } from "node:path";
import type * as z from "zod/mini";
import type { SchemaFile } from "./read-schemas.ts";

const schemas = join(import.meta.dirname, "..", "src", "events", "schemas");

/** The schema of the data of a type. */
export interface DataOfType {
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
