import * as z from "zod/mini";

const runOfChunks = z.tuple([z.int().check(z.gte(0)), z.int().check(z.gte(0))]);
const count = z.int().check(z.gte(0));

const checkpointFields = z.strictObject({
  version: z.literal(1),
  chunkSize: z.int().check(z.gte(1), z.lte(1_000)),
  /** Chunks that are settled, as runs from … to, both included. */
  done: z.array(runOfChunks),
  /** Chunks of which a request was sent and nothing is certain yet. */
  open: z.array(z.strictObject({ chunk: count, timedOut: z.boolean() })),
  created: count,
  failed: count,
  unknown: count,
  /** Tells another input: the chunks settled without a gap from the first, and a hash of their EUIs. */
  prefix: z.strictObject({ chunks: count, digest: z.string() }),
});

/**
 * Where a run of `devices.createMany` is: a small JSON value that holds no key and no device.
 *
 * Store it as it is and pass it, with the same devices in the same order, to resume in another process.
 */
export interface BulkCheckpoint extends z.output<typeof checkpointFields> {}

/** Checks a checkpoint that comes from a file, or from JavaScript. */
export function checkCheckpoint(value: unknown, chunkSize: number | undefined): BulkCheckpoint {
  const parsed = checkpointFields.safeParse(value);
  if (!parsed.success) {
    throw new TypeError(
      "checkpoint is not one that devices.createMany gave. Start anew without it, or repair the file.",
    );
  }
  if (chunkSize !== undefined && chunkSize !== parsed.data.chunkSize) {
    throw new TypeError(
      `checkpoint was made with chunkSize ${parsed.data.chunkSize}: leave chunkSize out, or set the same.`,
    );
  }
  return parsed.data;
}

/** Adds a chunk to runs of chunks, and joins what touches. */
export function addToRuns(runs: readonly [number, number][], chunk: number): [number, number][] {
  const sorted = [...runs, [chunk, chunk] as [number, number]].sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** Tells whether a chunk is in one of the runs. */
export function isInRuns(runs: readonly (readonly [number, number])[], chunk: number): boolean {
  return runs.some(([from, to]) => from <= chunk && chunk <= to);
}
