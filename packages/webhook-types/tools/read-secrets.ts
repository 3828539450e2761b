import { join } from "node:path";
import type * as z from "zod/mini";
import { secretNames } from "../../core/src/schema/secret-names.ts";
import type { SchemaFile } from "./read-schemas.ts";

const schemas = join(import.meta.dirname, "..", "src", "events", "schemas");

/** The names of the secret fields of a type, at any depth. */
export interface Secrets {
  readonly type: string;
  readonly names: readonly string[];
}

/** Reads the secrets of all types that have any. It asks the schemas themselves, because one may include another. */
export async function readSecrets(files: readonly SchemaFile[]): Promise<Secrets[]> {
  const found = await Promise.all(
    files.map(async ({ name, families }) => {
      const tables = (await import(join(schemas, `${name}.ts`))) as {
        readonly [table: string]: Readonly<Record<string, () => z.core.$ZodType>>;
      };
      return families.flatMap(({ table }) =>
        Object.entries(tables[table] ?? {}).map(([type, makeData]) => ({
          type,
          names: [...secretNames(makeData())].sort(),
        })),
      );
    }),
  );
  return found.flat().filter(({ names }) => names.length > 0);
}
