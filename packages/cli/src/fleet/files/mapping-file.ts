import type * as z from "@fieldmesh/core/internal/zod";
import { jsonOrUndefined } from "@fieldmesh/sandbox/internal";
import { CliError } from "../../exit-codes.ts";
import { readUserFile } from "../../files/user-file.ts";

/** Reads a mapping file, which the user writes. `holds` describes its contents. */
export async function readMappingFile<Schema extends z.ZodMiniType>(
  schema: Schema,
  file: string,
  holds: string,
): Promise<z.output<Schema>> {
  const value = jsonOrUndefined((await readUserFile(file, "The mapping file")).toString());
  if (value === undefined)
    throw new CliError(
      `The mapping file ${file} is not JSON. Correct it, and run the command again.`,
    );
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys : [];
  const place = [...(issue?.path ?? []), ...unknown].join(".");
  const why = unknown.length > 0 ? "this name is not known" : issue?.message;
  throw new CliError(
    `The mapping file ${file} is wrong at ${place || "its start"}: ${why}. It holds ${holds}.`,
  );
}
