import { stringifyJson } from "@fieldmesh/core";
import type { Context } from "../context.ts";
import { openNewFile } from "../files/user-file.ts";

const BATCH = 500;

/** Writes records to a new file, one JSON object per line, and prints how many. After a failure, the file ends with a complete line. */
export async function writeNdjson(
  path: string,
  records: AsyncIterable<unknown>,
  what: string,
  total: number | undefined,
  { output, reveal }: Context,
): Promise<void> {
  const file = await openNewFile(path, { isPublic: !reveal && what.startsWith("ledger ") });
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
