import { timeOfStamp } from "@fieldmesh/core/internal";
import { existsSync } from "node:fs";
import { CheckpointError, PlaceLostError, type LedgerClient } from "@fieldmesh/ledger-client";
import type { Lock } from "@fieldmesh/sandbox/internal";
import type { Context } from "../../context.ts";
import { CliError, exitCodes } from "../../exit-codes.ts";
import type { Output, Progress } from "../../output/output.ts";
import type { Item } from "./formats/columns.ts";
import { openJournal, type ExportState, type Files } from "./journal.ts";
import { heightsIn, lists, type ExportWalk, type WalkOptions } from "./lists.ts";
import type { Request } from "./request.ts";
import { resolveTimes } from "./times.ts";

/** The items between two saves, which the next run reads again after a kill. */
const ITEMS_A_SAVE = 1_000;
const ITEMS_AN_UPDATE = 100;
const HOUR = 3_600_000;

/** Returns the state before the first item. Relative times and heights are resolved here, once for all runs. */
export async function beginExport(
  client: LedgerClient,
  request: Request,
  signal: AbortSignal,
): Promise<ExportState> {
  const { list, minTime, maxTime } = request;
  const times = resolveTimes(minTime, maxTime, Date.now());
  // The published spec has no times for this list, so only times that the user typed are sent.
  const hasTimes = list !== "activity" || minTime !== undefined || maxTime !== undefined;
  return {
    request,
    times: hasTimes ? times : { min: undefined, max: undefined },
    heights: list === "blocks" ? await heightsIn(client, times, signal) : undefined,
    length: 0,
    items: 0,
    repeated: 0,
    columns: lists[list].columns,
    isRead: false,
  };
}

/** Reads a list into the journal, from the place of its state, and returns the state at the end of the list. */
export async function readList(
  context: Context,
  client: LedgerClient,
  files: Files,
  from: ExportState,
  { lanes, lock }: { readonly lanes: number; readonly lock: Lock },
): Promise<ExportState> {
  const walk = openWalk(client, files, from, { lanes, signal: context.signal });
  const { noun } = lists[from.request.list];
  if (existsSync(files.state)) context.output.note(`Resuming after ${from.items} ${noun}.`);
  try {
    return await copy(walk, files, from, { output: context.output, lock });
  } catch (error) {
    if (!(error instanceof PlaceLostError)) throw error;
    throw new CliError(
      `The ledger's list has changed since it was read, or the deployment ignores the times. Delete ${files.state} and ${files.partial}, and start again with --lanes 1.`,
      exitCodes.failed,
    );
  } finally {
    await walk.return();
  }
}

async function copy(
  walk: ExportWalk,
  files: Files,
  from: ExportState,
  { output, lock }: { readonly output: Output; readonly lock: Lock },
): Promise<ExportState> {
  // If the first request fails, there is nothing to resume, and no file is created.
  let { done, value } = await walk.next();
  const journal = await openJournal(files, from, lock);
  const bar = startProgress(output, from);
  const save = (): Promise<void> => journal.save({ checkpoint: walk.checkpoint() });
  let repeated = 0;
  try {
    for (let count = 1; done !== true && !isBelow(from, value as Item); count++) {
      if (!isAbove(from, value as Item)) journal.add(value as Item, walk.repeated > repeated);
      ({ repeated } = walk);
      if (count % ITEMS_AN_UPDATE === 0) bar.update(value as Item, journal.items);
      if (count % ITEMS_A_SAVE === 0) await save();
      ({ done, value } = await walk.next().catch(async (error: unknown) => {
        await save();
        throw error;
      }));
    }
    await journal.save({ checkpoint: undefined, isRead: true });
    return journal.state;
  } finally {
    bar.end();
    await journal.close();
  }
}

/** Throws a CliError if the list lacked a block. */
export function checkWhole(out: string, state: ExportState): void {
  const { heights, items, repeated, request } = state;
  if (heights === undefined) return;
  const found = request.distinct ? items : items - repeated;
  const missing = heights.last - heights.first + 1 - found;
  if (missing > 0)
    throw new CliError(
      `The ledger's list lacks ${missing} of the blocks from height ${heights.first} to ${heights.last}. ${out} has all the others.`,
      exitCodes.failed,
    );
}

/** Opens the walk before any file is created, so that a wrong account leaves no file. */
function openWalk(
  client: LedgerClient,
  { state, partial }: Files,
  from: ExportState,
  options: WalkOptions,
): ExportWalk {
  try {
    const walk = lists[from.request.list].open(client, from, options);
    walk.checkpoint();
    return walk;
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    throw new CliError(
      `${state} belongs to an export from another server, or was changed: use that server, delete ${state} and ${partial} to start again, or choose another --out.`,
    );
  }
}

/** Blocks are always listed from the newest one. */
function isAbove({ heights }: ExportState, { height }: Item): boolean {
  return heights !== undefined && Number(height) > heights.last;
}

function isBelow({ heights }: ExportState, { height }: Item): boolean {
  return heights !== undefined && Number(height) < heights.first;
}

/** Shows how far a list is read: blocks by height and other items by time, because their number is unknown. */
function startProgress(
  output: Output,
  { request, times, heights, items: before }: ExportState,
): { update(item: Item, items: number): void } & Pick<Progress, "end"> {
  const { noun, timeOf } = lists[request.list];
  const hoursOf = (time: number | undefined): number => (time ?? Number.NaN) / HOUR;
  const end = heights?.first ?? hoursOf(timeOfStamp(times.min));
  if (Number.isNaN(end)) {
    const bar = output.progress(noun, undefined);
    return { update: (_, items) => bar.update(items - before), end: () => bar.end() };
  }
  let bar: Progress | undefined;
  let top: number | undefined;
  return {
    update(item, items) {
      const at = heights === undefined ? hoursOf(timeOf(item)) : Number(item["height"]);
      if (Number.isNaN(at)) return;
      top ??= at;
      bar ??= output.progress(heights === undefined ? "hours" : "blocks", Math.ceil(top - end));
      bar.update(Math.floor(top - at), { [noun]: items });
    },
    end: () => bar?.end(),
  };
}
