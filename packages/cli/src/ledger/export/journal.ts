// What an export has read so far: lines in one file, and in another one the length of the first and the place to resume.
import { existsSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { parseJson, stringifyJson } from "@fieldmesh/core";
import { type Lock, stateFile, type StateFile } from "@fieldmesh/sandbox/internal";
import { CliError } from "../../exit-codes.ts";
import { readLines } from "../../files/read-lines.ts";
import { addToColumns, type Columns, type Item } from "./formats/columns.ts";
import type { Request } from "./request.ts";
import type { Timeframe } from "./times.ts";

/** What a run leaves for the next one. It contains no record and no secret. */
export interface ExportState {
  readonly request: Request;
  readonly times: Timeframe;
  /** For blocks: the first and the last height. */
  readonly heights: { readonly first: number; readonly last: number } | undefined;
  /** The place after the items. */
  readonly checkpoint?: unknown;
  /** The length of the lines in bytes. Anything after them was written by a killed run, and is cut off. */
  readonly length: number;
  readonly items: number;
  /** How many items the ledger has repeated at the start of a page. Those that are left out are not in `items`. */
  readonly repeated: number;
  readonly columns: Columns;
  /** The list was read to its end. */
  readonly isRead: boolean;
}

/** The files of an export. */
export interface Files {
  /** The file that the user named. It exists only when it is complete. */
  readonly out: string;
  /** What was read, as NDJSON. */
  readonly partial: string;
  readonly state: string;
}

export function filesOf(out: string): Files {
  return { out, partial: `${out}.partial`, state: `${out}.state.json` };
}

/** Opens the state file of an export. */
function exportState({ partial, state }: Files, lock: Lock): StateFile<ExportState> {
  const advice = `Delete it and ${partial} to start again, or choose another --out.`;
  return stateFile<ExportState>(state, { kind: "ledger export", advice, lock });
}

/** Reads the state of an earlier run, if there is one. */
export async function loadState(files: Files, lock: Lock): Promise<ExportState | undefined> {
  const { out, partial, state } = files;
  const found = await exportState(files, lock).read();
  if (found === undefined) return undefined;
  const length = existsSync(partial) ? (await stat(partial)).size : -1;
  const isMoved = found.isRead && length === -1 && existsSync(out);
  if (length < found.length && !isMoved && (found.isRead || found.length > 0))
    throw new CliError(`${partial} was deleted or cut off. Delete it and ${state} to start again.`);
  return found;
}

/** Opens the journal at the place of a state. */
export async function openJournal(files: Files, from: ExportState, lock: Lock) {
  const file = exportState(files, lock);
  let state = from;
  let { columns, repeated } = from;
  let lines: string[] = [];
  await file.write(state);
  const output = await open(files.partial, existsSync(files.partial) ? "a" : "ax");
  if ((await output.stat()).size > state.length) await output.truncate(state.length);
  return {
    /** What was saved. */
    get state() {
      return state;
    },
    /** Items that were saved or added. */
    get items() {
      return state.items + lines.length;
    },
    /** Adds an item, which the next `save` writes, or counts it only. */
    add(item: Item, isRepeated: boolean): void {
      if (isRepeated) repeated++;
      if (isRepeated && from.request.distinct) return;
      lines.push(`${stringifyJson(item)}\n`);
      columns = addToColumns(columns, item);
    },
    /** Writes the items, then the place after them. A kill in between leaves the place before them. */
    async save(
      change: Pick<ExportState, "checkpoint"> & { readonly isRead?: boolean },
    ): Promise<void> {
      lock.check();
      // A process that was paused in the middle of this may have lost the lock.
      if ((await output.stat()).size !== state.length)
        throw new CliError(
          `Another process is writing ${files.partial}. Wait until it ends, or stop it, and run this command again.`,
        );
      const bytes = Buffer.from(lines.join(""));
      await output.appendFile(bytes);
      await output.datasync();
      const length = state.length + bytes.length;
      const items = state.items + lines.length;
      state = { ...state, ...change, columns, length, items, repeated };
      lines = [];
      await file.write(state);
    },
    close: () => output.close(),
  };
}

/** In memory at once, which is also a row group of Parquet, and a string of CSV. A block of receipts may have hundreds of kilobytes. */
const ITEMS_A_BATCH = 10_000;
const CHARACTERS_A_BATCH = 2 ** 24;

/** Reads the items of a journal back, some at a time. Ends with an error when the signal is aborted. */
export async function* readItems(
  { partial }: Files,
  { length }: ExportState,
  { signal, update }: { readonly signal: AbortSignal; readonly update: (done: number) => void },
): AsyncGenerator<Item[]> {
  if (length === 0) return;
  let items: Item[] = [];
  let [characters, done] = [0, 0];
  for await (const lines of readLines(partial, { end: length - 1, signal })) {
    for (const line of lines) {
      items.push(parseJson(line) as Item);
      characters += line.length;
      if (items.length < ITEMS_A_BATCH && characters < CHARACTERS_A_BATCH) continue;
      yield items;
      update((done += items.length));
      [items, characters] = [[], 0];
    }
  }
  if (items.length > 0) yield items;
}
