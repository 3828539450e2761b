import type { Input } from "../command.ts";
import type { Clients, Context } from "../context.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { upperFirst } from "../output/printable.ts";
import { hideValues } from "../clients/hide-values.ts";
import { readRowInput } from "./read-row-input.ts";
import { methodOf, type Row } from "./row.ts";
import { showList } from "./show-list.ts";
import { stringifyJson } from "@fieldmesh/core";
import { openNewFile } from "../files/user-file.ts";

/** Calls the method of a row with the values of the command line, and prints its result. */
export async function runRow(
  service: keyof Clients,
  row: Row,
  context: Context,
  input: Input,
): Promise<void> {
  const limit = row.list ? readLimit(row, input) : undefined;
  const value = await readRowInput(row, input, context);
  const words = methodOf(row.path);
  const hide = await hideValues(service, words, context);
  const method = findMethod(await context.client(service), words);
  // If the cursor expires, the walk restarts and finds its place.
  const paging = { onCursorExpired: "restart", ...(limit !== undefined && { maxItems: limit }) };
  const options = { signal: context.signal, ...(row.paged && paging) };
  const result = row.paged || row.fields.length > 0 ? method(value, options) : method(options);
  if (!row.list) return await showRecord(row, hide(await result), context);
  // A deployment may return one record instead of a list.
  const records = row.paged
    ? (result as AsyncIterable<unknown>)
    : [await result].flat().slice(0, limit);
  const shown = each(records, hide);
  const { out } = input.options;
  if (typeof out === "string") await writeNdjson(out, shown, row.path, limit, context);
  else await showList(service, row, shown, input, context);
}

async function showRecord({ absent }: Row, record: unknown, { output }: Context): Promise<void> {
  if (record !== undefined) return await output.record(record);
  if (absent !== undefined) throw new CliError(`${upperFirst(absent)}.`, exitCodes.failed);
  output.note("Done. The response has no record.");
  if (output.isJson) await output.record(null);
}

type Method = (...args: unknown[]) => unknown;

function findMethod(client: unknown, words: readonly string[]): Method {
  // The generator reads the words from the tables of the client.
  return words.reduce((value, word) => (value as Record<string, unknown>)[word], client) as Method;
}

function readLimit({ fields }: Row, { options: { limit } }: Input): number | undefined {
  if (typeof limit !== "string" || fields.some(({ name }) => name === "limit")) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(limit)) throw new CliError("--limit needs a whole number from 1 up.");
  return Number(limit);
}

async function* each(
  records: AsyncIterable<unknown> | Iterable<unknown>,
  map: (record: unknown) => unknown,
): AsyncGenerator {
  for await (const record of records) yield map(record);
}

const BATCH = 500;

/** Writes records to a new file, one JSON object per line, and prints how many. After a failure, the file ends with a complete line. */
async function writeNdjson(
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
