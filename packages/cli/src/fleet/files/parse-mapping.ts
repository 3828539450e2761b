import type * as z from "@fieldmesh/core/internal/zod";
import { CliError } from "../../exit-codes.ts";

/** Parses a mapping file, which the user writes. `holds` describes its contents. */
export function parseMapping<Schema extends z.ZodMiniType>(
  schema: Schema,
  { file, json, holds }: { readonly file: string; readonly json: string; readonly holds: string },
): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new CliError(
      `The mapping file ${file} is not JSON. Correct it, and run the command again.`,
    );
  }
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
