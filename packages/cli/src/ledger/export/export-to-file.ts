import { existsSync, statSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { CallError } from "@fieldmesh/ledger-client";
import type { Lock } from "@fieldmesh/sandbox/internal";
import type { Context } from "../../context.ts";
import { CliError } from "../../exit-codes.ts";
import { beginFile } from "../../files/begin-file.ts";
import { locked } from "../../locked.ts";
import { fileProblem } from "./file-problem.ts";
import { findFinished, rememberFinished } from "./finished.ts";
import { writers } from "./formats/formats.ts";
import { filesOf, loadState, readItems, type ExportState, type Files } from "./journal.ts";
import { lists } from "./lists.ts";
import { beginExport, checkWhole, readList } from "./read-list.ts";
import { tellRepeated } from "./tell-repeated.ts";
import { isSame, type ExportInput, type Request } from "./request.ts";

/** Exports a list to a file, which it locks: two processes would write into the same files. */
export async function exportToFile(context: Context, input: ExportInput): Promise<void> {
  try {
    await locked(context, input.file, (held, lock) => runExport(held, input, lock));
  } catch (error) {
    throw fileProblem(error, input.file) ?? error;
  }
}

async function runExport(context: Context, input: ExportInput, lock: Lock): Promise<void> {
  const files = filesOf(input.file);
  try {
    const finished = existsSync(files.state)
      ? undefined
      : await findFinished(context.env, files.out, input.request);
    const state = finished ?? (await read(context, input, files, lock));
    if (finished === undefined) await write(context, input, { files, state, lock });
    await report(context, input, state);
    // The last step. After a kill before it, the next run writes nothing and reports again.
    await rememberFinished(context.env, files.out, state);
    await rm(files.state, { force: true });
    checkWhole(input.file, state);
  } catch (error) {
    const isStopped = context.signal.aborted && (error as Error).name === "AbortError";
    if (existsSync(files.state) && (isStopped || error instanceof CallError))
      context.output.note("What was read is kept: run the same command again to resume.");
    if (!isStopped) throw error;
  }
}

/** Reads the whole list, from where the last run stopped. */
async function read(
  context: Context,
  input: ExportInput,
  files: Files,
  lock: Lock,
): Promise<ExportState> {
  const found = await loadState(files, lock);
  if (found !== undefined) checkSame(found, input.request, files);
  else {
    if (existsSync(files.out))
      throw new CliError(
        `${files.out} exists and is not an unfinished export. Delete it to export again, or choose another --out.`,
      );
    // An export creates this file after its state, and never leaves it without one.
    if (existsSync(files.partial) && statSync(files.partial).size > 0)
      throw new CliError(
        `${files.partial} exists and does not belong to an export. Move it, or choose another --out.`,
      );
  }
  if (found?.isRead === true) return found;
  const client = await context.client("ledger");
  const state = found ?? (await beginExport(client, input.request, context.signal));
  return await readList(context, client, files, state, { lanes: input.lanes, lock });
}

function checkSame({ request }: ExportState, asked: Request, { state, partial }: Files): void {
  if (isSame(request, asked)) return;
  const { list, account, minTime, maxTime, distinct } = request;
  const words = [
    `ledger export ${list}`,
    account,
    minTime && `--min-time ${JSON.stringify(minTime)}`,
    maxTime && `--max-time ${JSON.stringify(maxTime)}`,
    distinct && "--distinct",
  ];
  throw new CliError(
    `${state} belongs to another export, "${words.filter(Boolean).join(" ")}": finish that one, delete ${state} and ${partial} to abandon it, or choose another --out.`,
  );
}

/** Writes the output file from the journal. The file gets its name when it is complete, and the journal is kept until then. */
async function write(
  { output, signal }: Context,
  { format, request }: ExportInput,
  { files, state, lock }: { files: Files; state: ExportState; lock: Lock },
): Promise<void> {
  // Otherwise an earlier run did this and was killed afterwards.
  if (existsSync(files.partial)) {
    lock.check();
    if (format === "ndjson") await rename(files.partial, files.out);
    else {
      const bar = output.progress(`rows of ${format}`, state.items);
      const batches = readItems(files, state, {
        signal,
        update(done) {
          lock.check();
          bar.update(done);
        },
      });
      const begun = await beginFile(files.out);
      const writeTable = await writers[format]();
      try {
        await writeTable({ file: begun.path, name: request.list, columns: state.columns, batches });
      } finally {
        bar.end();
      }
      await begun.finish(() => lock.check());
    }
  }
  await rm(files.partial, { force: true });
}

async function report(
  { output }: Context,
  { file, format, request }: ExportInput,
  state: ExportState,
): Promise<void> {
  const { list, account } = request;
  const { items, repeated, times } = state;
  const { min, max } = times;
  if (output.isJson)
    await output.record({
      list,
      account,
      min_time: min,
      max_time: max,
      items,
      repeated,
      format,
      file,
    });
  else {
    const { noun } = lists[list];
    const owner = account === undefined ? "The chain" : `Account ${account}`;
    const from = min === undefined ? "" : ` from ${min}`;
    const to = max === undefined ? "" : ` to ${max}`;
    await output.line(
      items === 0
        ? `${owner} has no ${noun}${from}${to}: ${file} has no rows.`
        : `${owner} has ${items} ${noun}${from}${to}: they are in ${file}.${tellRepeated(state, request)}`,
    );
  }
}
