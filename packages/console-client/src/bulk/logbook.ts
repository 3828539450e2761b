import {
  notify,
  rejectedCheckpoint,
  withChecksum,
  type CheckpointError,
} from "@fieldmesh/core/internal";
import { CallersError } from "./bulk-error.ts";
import type { AnyOptions, BulkSettings, BulkStart } from "./bulk-settings.ts";
import {
  MAX_ERROR,
  MAX_PROBLEMS,
  type BulkCheckpoint,
  type BulkTarget,
  type OpenChunk,
} from "./checkpoint.ts";
import { failedOf, unknownOf } from "./chunks.ts";
import type { AnyResult, Chunk, PendingItem, Status } from "./verb.ts";
import { createWaits } from "./waits.ts";

/** The numbers of a run by status, and the fields of the progress of every run. */
export type AnyProgress = Readonly<Record<string, unknown>>;

/** What a logbook needs to know about its run. */
export interface LogbookInit extends BulkStart, Pick<BulkSettings, "chunkSize"> {
  readonly method: string;
  readonly statuses: readonly Status[];
  readonly target: () => BulkTarget | undefined;
}

/** Milliseconds after which a checkpoint that is not stored yet is reported. It has no limit: nothing may be sent before it is stored. */
const HANGING = 30_000;
const STORING = "onCheckpoint has not stored the checkpoint yet";

function warnOfHanging(method: string): void {
  const message = `${method}: onCheckpoint has not stored a checkpoint for 30 seconds. The run sends nothing more until it has, or until its signal aborts.`;
  // oxlint-disable-next-line no-console -- a run that waits must say so, also without onProgress
  notify("console.warn", console, () => console.warn(message));
}

const OTHER_DEVICES =
  "belongs to other devices, or to the same ones in another order or with other fields, such as a corrected key";

export type Logbook = ReturnType<typeof createLogbook>;

/** Keeps the numbers and the checkpoint of a new or resumed run, and reports both to the caller. */
export function createLogbook(
  { method, statuses, chunkSize, checkpoint, total, clock, target }: LogbookInit,
  { onProgress, onCheckpoint }: Pick<AnyOptions, "onProgress" | "onCheckpoint">,
) {
  const { created = 0, failed = 0, unknown = 0, skipped = 0, changed = 0 } = checkpoint ?? {};
  const counts: Record<Status, number> = { created, failed, unknown, skipped, done: changed };
  const problems = new Map(checkpoint?.problems.map((each) => [each.index, each]));
  const done = [...(checkpoint?.done ?? [])];
  const open = new Map(checkpoint?.open.map((each) => [each.chunk, each]));
  let requests = 0;
  const covered = Math.max(done.length, ...[...open.keys()].map((chunk) => chunk + 1));

  const reportProgress = (): void =>
    notify(`${method}: onProgress`, onProgress, (call) => call(progress() as never));
  const waits = createWaits(clock, reportProgress);
  const settled = (): number => statuses.reduce((sum, status) => sum + counts[status], 0);
  const unsettled = (): number => [...open.values()].reduce((sum, { size }) => sum + size, 0);
  const resumed = settled();
  const otherDevices = (): CheckpointError =>
    rejectedCheckpoint("other_input", method, OTHER_DEVICES, "Pass the list of that run");
  const progress = (): AnyProgress => ({
    ...Object.fromEntries(statuses.map((status) => [status, counts[status]])),
    unsettled: unsettled(),
    settled: settled(),
    total,
    waiting: waits.current,
  });

  function toCheckpoint(): BulkCheckpoint | undefined {
    const { server, organization } = target() ?? checkpoint ?? {};
    if (server === undefined || organization === undefined) return undefined;
    const { done: changes, ...others } = counts;
    const fields: Omit<BulkCheckpoint, "checksum"> = {
      version: 1,
      call: method,
      server,
      organization,
      chunkSize,
      done: Array.from(done, (digest) => digest ?? ""),
      open: [...open.values()],
      ...others,
      changed: changes,
      unsettled: unsettled(),
      problems: [...problems.values()],
    };
    return withChecksum(fields);
  }

  /** Stores what the console rejected. A device that was not sent is found again in the input. */
  function keepProblem({ index, status, reason, error = "" }: AnyResult): void {
    if (problems.size >= MAX_PROBLEMS) return;
    if (status === "unknown" || (status === "failed" && reason === "rejected"))
      problems.set(index, { index, status, error: error.slice(0, MAX_ERROR) });
  }

  function mark({ number, digest, size, ambiguity, hasResponse }: Chunk): void {
    const unanswered = ambiguity?.timedOut === true ? "at_work" : "broken";
    const kind = hasResponse ? "responded" : unanswered;
    const until = Math.round(ambiguity?.since ?? clock.now());
    open.set(number, { chunk: number, digest, size, kind, until, writer: "" });
  }

  /** Stores a checkpoint. A run with `onCheckpoint` knows its target before it sends anything. */
  async function save(): Promise<void> {
    const current = onCheckpoint && toCheckpoint();
    if (current === undefined) return;
    const warning = setTimeout(() => warnOfHanging(method), HANGING);
    try {
      await waits.during(STORING, async () => await onCheckpoint?.(current));
    } catch (error) {
      throw new CallersError("onCheckpoint", error);
    } finally {
      clearTimeout(warning);
    }
  }

  return {
    /** The number of chunks in the checkpoint, from the start of the input. Nothing is sent before all of them are checked. */
    covered,
    during: waits.during,
    /** Counts requests with inputs that were sent, or may have been. */
    countSend: (by: 1 | -1) => void (requests += by),
    /** Returns what an earlier run recorded for a chunk. Throws if the chunk is not the same. */
    look({ number, digest }: Chunk): "done" | OpenChunk | undefined {
      const earlier = open.get(number);
      const digestBefore = earlier?.digest ?? done[number] ?? "";
      if (digestBefore !== "" && digestBefore !== digest) throw otherDevices();
      return earlier ?? (digestBefore === "" ? undefined : "done");
    },
    /** Returns the devices of a chunk that failed or became unknown in an earlier run. */
    earlierProblems({ results, pending }: Chunk): AnyResult[] {
      const sent = pending.flatMap((item): AnyResult[] => {
        const { status, error } = problems.get(item.index) ?? {};
        if (status === undefined || error === undefined) return [];
        return [status === "unknown" ? unknownOf(item, error) : failedOf(item, "rejected", error)];
      });
      return [...results, ...sent].sort((a, b) => a.index - b.index);
    },
    /** Returns the inputs of a chunk that an earlier run carried out, as far as the checkpoint tells. */
    earlierSuccesses<Item extends PendingItem>({ pending }: Chunk<Item>): Item[] {
      // A full checkpoint does not contain all problems.
      return problems.size < MAX_PROBLEMS
        ? pending.filter(({ index }) => !problems.has(index))
        : [];
    },
    /** Throws if the input ended before the chunks of the checkpoint. */
    checkEnd(chunks: number): void {
      if (chunks < covered) throw otherDevices();
    },
    reportProgress,
    /** Notes how a request with the chunk ended, for the next checkpoint and that of an error. */
    mark,
    /** Called before a request with the chunk is sent, and when it has ended so that its devices must not be sent again. */
    async opened(chunk: Chunk): Promise<void> {
      mark(chunk);
      await save();
    },
    /** Called after the results of a chunk were yielded. */
    async closed({ number, digest, results }: Chunk): Promise<void> {
      open.delete(number);
      for (const result of results) {
        counts[result.status]++;
        keepProblem(result);
      }
      done[number] = digest;
      await save();
      reportProgress();
    },
    get progress() {
      return progress();
    },
    /** The current checkpoint. `undefined` until the target is known. */
    get checkpoint() {
      return toCheckpoint();
    },
    /** Whether a request with an input was sent, by this run or an earlier one of its checkpoint. */
    get hasSent() {
      return checkpoint !== undefined || requests > 0;
    },
    /** The most devices whose request may still be in progress. */
    get inFlight() {
      return open.size * chunkSize;
    },
    /** The number of devices that were settled before this run. */
    resumed,
  };
}
