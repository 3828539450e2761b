import {
  ENDED,
  notify,
  rejectedCheckpoint,
  withChecksum,
  type CheckpointError,
} from "@fieldmesh/core/internal";
import { CallersError } from "./bulk-error.ts";
import { twice, type AnyOptions, type BulkSettings, type BulkStart } from "./bulk-settings.ts";
import {
  MAX_ERROR,
  MAX_PROBLEMS,
  type BulkCheckpoint,
  type BulkTarget,
  type OpenChunk,
} from "./checkpoint.ts";
import { doubtOf, failedOf, unknownOf } from "./chunks.ts";
import type { AnyResult, Chunk, PendingItem, Status } from "./run-parts.ts";
import { createWaits } from "./waits.ts";

/** The numbers of a run by status, and the fields of the progress of every run. */
export type AnyProgress = Readonly<Record<string, unknown>>;

/** What a logbook needs to know about its run. */
export interface LogbookInit
  extends Omit<BulkStart, "isList">, Pick<BulkSettings, "chunkSize" | "timeout"> {
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

/** How much longer than a request may take a stored time is at least, so that many short requests share one checkpoint. */
const SPARE = 5_000;
/** The longest time to store the last checkpoint of a run that ended early. */
const ENDING_TIME = 1_000;
/** How far the clocks of two machines may be apart. */
const SKEW = 10_000;

let writer: string | undefined;
/** A random name of this process, created on first use: a worker at the edge has no random numbers while it loads. */
const ownName = (): string => (writer ??= crypto.randomUUID());

const OTHER_DEVICES =
  "belongs to other devices, or to the same ones in another order or with other fields, such as a corrected key";

export type Logbook = ReturnType<typeof createLogbook>;

/** Keeps the numbers, the results and the checkpoint of a new or resumed run, and reports them to the caller. */
export function createLogbook(
  { method, statuses, chunkSize, timeout, checkpoint, total, clock, target }: LogbookInit,
  { onProgress, onCheckpoint }: Pick<AnyOptions, "onProgress" | "onCheckpoint">,
) {
  const { created = 0, failed = 0, unknown = 0, skipped = 0, changed = 0 } = checkpoint ?? {};
  const counts: Record<Status, number> = { created, failed, unknown, skipped, done: changed };
  const problems = new Map(checkpoint?.problems.map((each) => [each.index, each]));
  const done = [...(checkpoint?.done ?? [])];
  /** The open chunks of the checkpoint that this run has not begun with. */
  const recorded = new Map(checkpoint?.open.map((each) => [each.chunk, each]));
  /** The chunks that this run has begun with, until their results are delivered. */
  const begun = new Set<Chunk>();
  const covered = Math.max(done.length, ...[...recorded.keys()].map((chunk) => chunk + 1));
  const results: AnyResult[] = [];
  const limit = twice(timeout);
  let looked = 0;
  let isEnded = false;
  /** Set until the loop has received what was delivered. */
  let receiving: PromiseWithResolvers<void> | undefined;
  let storing: Promise<unknown> = Promise.resolve();
  let queued: Promise<number> | undefined;
  let stored = checkpoint?.checksum;
  let spare = Math.min(SPARE, limit);

  const reportProgress = (): void =>
    notify(`${method}: onProgress`, onProgress, (call) => call(progress() as never));
  const waits = createWaits(clock, reportProgress);
  const settled = (): number => statuses.reduce((sum, status) => sum + counts[status], 0);
  const resumed = settled();
  const otherDevices = (): CheckpointError =>
    rejectedCheckpoint("other_input", method, OTHER_DEVICES, "Pass the list of that run");
  /** Until when the requests at work have ended, if a checkpoint is stored now. */
  const endOfWork = (): number => clock.now() + limit + spare;
  /** Everything that was sent and has no result yet. The number of unsettled devices and the checkpoint come from it. */
  function openChunks(): OpenChunk[] {
    const own = [...begun].flatMap((chunk) => {
      const until = chunk.isAtWork ? endOfWork() : chunk.until;
      const entry = doubtOf(chunk);
      return entry === undefined ? [] : [{ ...entry, until: Math.ceil(until), writer: ownName() }];
    });
    return [...recorded.values(), ...own].sort((a, b) => a.chunk - b.chunk);
  }
  const unsettled = (): number => openChunks().reduce((sum, { size }) => sum + size, 0);
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
      open: openChunks(),
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

  /** Stores a checkpoint. A run with `onCheckpoint` knows its target before it sends anything. Returns until when it is valid. */
  async function store(): Promise<number> {
    await receiving?.promise;
    const begunAt = clock.now();
    const until = endOfWork();
    const current = toCheckpoint();
    if (current === undefined || isEnded) return until;
    const warning = setTimeout(() => warnOfHanging(method), HANGING);
    try {
      await waits.during(STORING, async () => await onCheckpoint?.(current));
    } catch (error) {
      throw new CallersError("onCheckpoint", error);
    } finally {
      clearTimeout(warning);
    }
    stored = current.checksum;
    // A store that needs longer gets a time that is still right when it has finished.
    spare = Math.max(spare, 2 * (clock.now() - begunAt));
    return until;
  }

  /** Stores a checkpoint after the one that is being stored. Callers that wait meanwhile share it. */
  function save(): Promise<number> {
    if (onCheckpoint === undefined) return Promise.resolve(Infinity);
    queued ??= storing
      .catch(() => undefined)
      .then(() => {
        queued = undefined;
        return store();
      });
    storing = queued;
    return queued;
  }

  /** Counts the results of a chunk, and adds them to those that the loop receives, at one moment. */
  function deliver(chunk: Chunk): void {
    if (isEnded) return;
    begun.delete(chunk);
    done[chunk.number] = chunk.digest;
    for (const result of chunk.results) {
      counts[result.status]++;
      keepProblem(result);
    }
    offer(chunk.results.sort((a, b) => a.index - b.index));
  }

  function received(): void {
    receiving?.resolve();
    receiving = undefined;
  }

  function offer(more: readonly AnyResult[]): void {
    for (const each of more) results.push(each);
    receiving ??= Promise.withResolvers();
  }

  return {
    /** Whether all chunks of the checkpoint were compared with the input. Nothing is sent before. */
    get isChecked() {
      return looked >= covered;
    },
    during: waits.during,
    /** The results of this run so far, including those that the loop has not received yet. */
    results,
    /** Returns what an earlier run recorded for the next chunk. Throws if the chunk is not the same. */
    look({ number, digest }: Chunk): "done" | OpenChunk | undefined {
      looked++;
      const earlier = recorded.get(number);
      const digestBefore = earlier?.digest ?? done[number] ?? "";
      if (digestBefore !== "" && digestBefore !== digest) throw otherDevices();
      return earlier ?? (digestBefore === "" ? undefined : "done");
    },
    /** Delivers the devices of a chunk that failed or became unknown in an earlier run, which has counted them. */
    deliverEarlier({ results: own, pending }: Chunk): boolean {
      const sent = pending.flatMap((item): AnyResult[] => {
        const { status, error } = problems.get(item.index) ?? {};
        if (status === undefined || error === undefined) return [];
        return [status === "unknown" ? unknownOf(item, error) : failedOf(item, "rejected", error)];
      });
      const all = [...own, ...sent].sort((a, b) => a.index - b.index);
      if (all.length > 0) offer(all);
      return all.length > 0;
    },
    /** Returns the inputs of a chunk that an earlier run carried out, as far as the checkpoint tells. */
    earlierSuccesses<Item extends PendingItem>({ pending }: Chunk<Item>): Item[] {
      // A full checkpoint does not contain all problems.
      return problems.size < MAX_PROBLEMS
        ? pending.filter(({ index }) => !problems.has(index))
        : [];
    },
    /** Throws if the input ended before the chunks of the checkpoint. */
    checkEnd(): void {
      if (looked < covered) throw otherDevices();
    },
    /** Returns when the last request with a chunk of an earlier run has ended, by the clock of this one. */
    endOf(
      { kind, until, writer: by }: Pick<OpenChunk, "kind" | "until" | "writer">,
      claimedAt: number,
    ): number {
      if (kind === "maybe") return claimedAt + limit;
      if (kind !== "at_work") return clock.now();
      // A clock that was wrong may have written any time.
      return Math.min(by === ownName() ? until : until + SKEW, clock.now() + limit + SKEW);
    },
    /** Called when the run begins with a chunk. */
    begin(chunk: Chunk): void {
      recorded.delete(chunk.number);
      begun.add(chunk);
    },
    deliver,
    /** Delivers what was settled before the run ended early. */
    deliverSettled(): void {
      for (const chunk of begun) if (chunk.pending.length === 0) deliver(chunk);
    },
    /** Called when the loop has asked for more, so that a checkpoint may settle what was delivered. */
    received,
    reportProgress,
    save,
    /** Stores the last checkpoint of a run that ended early, unless it is stored already or needs too long. */
    async saveLast(): Promise<void> {
      received();
      if (stored === undefined || toCheckpoint()?.checksum === stored) return;
      const isOver = new AbortController();
      const late = clock.sleep(ENDING_TIME, isOver.signal).catch(() => undefined);
      await Promise.race([save().catch(() => undefined), late]);
      isOver.abort(ENDED);
    },
    /** Called when the error of the run is created. Nothing is delivered or stored after it. */
    end: () => void (isEnded = true),
    get progress() {
      return progress();
    },
    /** The current checkpoint. `undefined` until the target is known. */
    get checkpoint() {
      return toCheckpoint();
    },
    /** Whether an input may have been carried out, by this run or an earlier one of its checkpoint. */
    get hasBegun() {
      return (
        checkpoint !== undefined || counts.created + counts.done + counts.unknown + unsettled() > 0
      );
    },
    /** The number of devices that were settled before this run. */
    resumed,
  };
}
