import type { BulkProgress, CreateManyOptions } from "./bulk-types.ts";
import { addToRuns, isInRuns, type BulkCheckpoint } from "./checkpoint.ts";
import type { Chunk } from "./chunks.ts";

/** Keeps the numbers of a run and its checkpoint, and reports both to the caller. */
export interface Logbook {
  /** What an earlier run wrote of a chunk; throws where the chunk is not the one that it saw. */
  look(chunk: Chunk): "done" | { readonly timedOut: boolean } | undefined;
  /** Tells the caller how far the run is. */
  tell(): void;
  /** Called before a request with the chunk is sent, and when that request timed out. */
  opened(chunk: Chunk): Promise<void>;
  /** Called after the results of a chunk were yielded. */
  closed(chunk: Chunk): Promise<void>;
  readonly progress: BulkProgress;
  /** Devices that were settled before this run. */
  readonly resumed: number;
}

/** Opens the logbook of a run, new or at a checkpoint. */
export function createLogbook(
  chunkSize: number,
  checkpoint: BulkCheckpoint | undefined,
  { onProgress, onCheckpoint }: CreateManyOptions,
): Logbook {
  const before = checkpoint ?? emptyCheckpoint(chunkSize);
  const counts = { created: before.created, failed: before.failed, unknown: before.unknown };
  const open = new Map(before.open.map((each) => [each.chunk, each]));
  const digests = new Map<number, string>();
  let { done, prefix } = before;

  const progress = (): BulkProgress => ({
    ...counts,
    settled: counts.created + counts.failed + counts.unknown,
  });
  const { settled: resumed } = progress();

  async function save(): Promise<void> {
    await onCheckpoint?.({
      version: 1,
      chunkSize,
      done,
      open: [...open.values()],
      ...counts,
      prefix,
    });
  }

  return {
    look({ number, digest }) {
      if (number === before.prefix.chunks - 1 && digest !== before.prefix.digest) {
        throw new TypeError(
          "checkpoint belongs to other devices, or to the same in another order. Pass the list that it was made for, or start anew without it.",
        );
      }
      if (isInRuns(before.done, number)) return "done";
      return open.get(number);
    },
    tell: () => onProgress?.(progress()),
    async opened({ number, ambiguity }) {
      open.set(number, { chunk: number, timedOut: ambiguity?.timedOut ?? false });
      await save();
    },
    async closed({ number, digest, results }) {
      open.delete(number);
      for (const { status } of results) counts[status]++;
      done = addToRuns(done, number);
      digests.set(number, digest);
      const last = done[0]?.[0] === 0 ? done[0][1] : -1;
      const lastDigest = digests.get(last);
      if (lastDigest !== undefined) prefix = { chunks: last + 1, digest: lastDigest };
      for (const each of digests.keys()) if (each < last) digests.delete(each);
      await save();
      this.tell();
    },
    get progress() {
      return progress();
    },
    resumed,
  };
}

function emptyCheckpoint(chunkSize: number): BulkCheckpoint {
  return {
    version: 1,
    chunkSize,
    done: [],
    open: [],
    created: 0,
    failed: 0,
    unknown: 0,
    prefix: { chunks: 0, digest: "" },
  };
}
