import { open } from "node:fs/promises";
import { stringifyJson } from "@fieldmesh/core";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";

/** Only this user can read a file with secrets. */
const PRIVATE = 0o600;
const USUAL = 0o666;
const BATCH = 500;

/** Writes records to a new file, one JSON object per line, and prints how many. After a failure, the file ends with a complete line. */
export async function writeNdjson(
  path: string,
  records: AsyncIterable<unknown>,
  what: string,
  total: number | undefined,
  { output, reveal }: Context,
): Promise<void> {
  const file = await open(path, "wx", reveal ? PRIVATE : USUAL).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new CliError(`${path} already exists. Remove it, or choose another name for --out.`);
  });
  const bar = output.progress(what, total);
  let written = 0;
  let lines: string[] = [];
  const write = async (): Promise<void> => {
    await file.appendFile(lines.join("")).catch((error: Error) => {
      throw Object.assign(error, { path });
    });
    written += lines.length;
    lines = [];
    bar.update(written);
  };
  try {
    for await (const record of records)
      if (lines.push(`${stringifyJson(record, { reveal })}\n`) === BATCH) await write();
  } finally {
    try {
      await write();
    } finally {
      await file.close();
      bar.end();
    }
    output.note(`${written.toLocaleString("en-US")} records are in ${path}.`);
  }
}
