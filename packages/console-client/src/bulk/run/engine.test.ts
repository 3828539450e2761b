import { expect, test, vi } from "vitest";
import { contextOf, NOW } from "../../../test/run-context.ts";
import { doubt, excludeEqual, emptyChunk } from "./chunks.ts";
import { run } from "./engine.ts";
import { openInputs, type Inputs } from "./inputs.ts";
import { createLogbook, type Logbook } from "./logbook.ts";
import type { BulkCheckpoint } from "./checkpoint.ts";
import type { AnyResult, BatchOutcome, Chunk, Doubt, PendingItem, Verb } from "./run-parts.ts";

const EMPTY: Chunk = { ...emptyChunk(0), size: 1 };
const done = (index: number): AnyResult => ({ index, status: "done" });
const allDone = (batch: readonly PendingItem[]): BatchOutcome => ({
  results: new Map(batch.map(({ index }) => [index, done(index)])),
});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** The outcome of requests that broke. */
function lose(batch: readonly PendingItem[], kind: Doubt = "broken"): BatchOutcome {
  doubt(batch, kind);
  return { results: new Map() };
}

/** A verb whose requests all succeed, and whose list shows everything, unless a part is replaced. */
function verbOf(changed: Partial<Verb<PendingItem>> = {}) {
  const sent: number[][] = [];
  const send = changed.send ?? (async (batch) => allDone(batch));
  const known: number[] = [];
  const verb: Verb<PendingItem> = {
    method: "devices.deleteMany",
    statuses: ["done", "failed", "unknown"],
    exclude: excludeEqual("the same device precedes it"),
    readInput: (input, index) =>
      input === "bad"
        ? { index, status: "failed", reason: "invalid" }
        : {
            index,
            key: String(input),
            content: String(input),
            identity: { index },
          },
    know: (items) => void known.push(...items.map(({ index }) => index)),
    look: async () => ({
      lags: false,
      resultOf: ({ index }) => done(index),
      isUnclear: () => false,
      rejectedOf: ({ index }) => done(index),
    }),
    repeatable: true,
    chunksAtOnce: () => 2,
    toError: (_state, _happened, cause) => cause as Error,
    ...changed,
    send: async (batch, context) => {
      sent.push(batch.map(({ index }) => index));
      return await send(batch, context);
    },
  };
  return { verb, sent, known };
}

function logbookOf(checkpoint?: BulkCheckpoint, options: object = {}): Logbook {
  const target = () => ({ server: "s1", organization: "o1" });
  const statuses = ["done", "failed", "unknown"] as const;
  const { clock } = contextOf();
  const method = "devices.deleteMany";
  return createLogbook(
    { method, statuses, chunkSize: 2, timeout: 1_000, checkpoint, total: 6, clock, target },
    options,
  );
}

/** Runs inputs, or the letters of a string. */
async function runAll(
  verb: Verb<PendingItem>,
  inputs: Inputs | string,
  logbook = logbookOf(),
  changed: object = {},
): Promise<{ indexes: number[]; error: unknown; context: ReturnType<typeof contextOf> }> {
  const context = contextOf(changed);
  const indexes: number[] = [];
  const all = typeof inputs === "string" ? Array.from(inputs) : inputs;
  const hadOwner = "hadOwner" in changed && changed.hadOwner === true;
  const opened = openInputs(all, context.clock);
  const receive = (): void => {
    indexes.push(...logbook.results.slice(indexes.length).map(({ index }) => index));
  };
  try {
    for await (const _ of run(verb, opened, { ...context, hadOwner }, logbook)) receive();
    return { indexes, error: undefined, context };
  } catch (error) {
    receive();
    return { indexes, error, context };
  }
}

test("each chunk is sent once, and its results are in the order of the input", async () => {
  const { verb, sent, known } = verbOf({
    send: async (batch) => allDone(batch.toReversed()),
  });
  const { indexes, error } = await runAll(verb, "abcde");
  expect([indexes, error]).toEqual([[0, 1, 2, 3, 4], undefined]);
  expect(sent).toEqual([[0, 1], [2, 3], [4]]);
  expect(known).toEqual([0, 1, 2, 3, 4]);
});

test("a chunk without valid inputs needs no request, and is not prepared", async () => {
  const prepare = vi.fn(async () => undefined);
  const { verb, sent } = verbOf({ prepare });
  const logbook = logbookOf();
  const { indexes } = await runAll(verb, ["bad", "bad", "a"], logbook);
  expect([indexes, sent]).toEqual([[0, 1, 2], [[2]]]);
  expect(prepare).toHaveBeenCalledTimes(1);
});

test("what prepare settles is not sent", async () => {
  const { verb, sent } = verbOf({
    prepare: async (chunk) => {
      chunk.results.push(...chunk.pending.map(({ index }) => done(index)));
      chunk.pending = [];
    },
  });
  const logbook = logbookOf();
  expect((await runAll(verb, "ab", logbook)).indexes).toEqual([0, 1]);
  expect(sent).toEqual([]);
});

test("as many chunks are in progress as the verb says, and no more", async () => {
  for (const most of [1, 2, 3]) {
    let active = 0;
    let seen = 0;
    const { verb } = verbOf({
      chunksAtOnce: () => most,
      send: async (batch) => {
        seen = Math.max(seen, ++active);
        await turn();
        active--;
        return allDone(batch);
      },
    });
    await runAll(verb, "abcdefghijkl");
    expect(seen).toBe(most);
  }
});

test("after a failure no further chunk is sent, and results of the others in progress arrive", async () => {
  const failure = new Error("401");
  const { verb, sent } = verbOf({
    send: async (batch) => {
      await turn();
      if (batch[0]?.index === 0) throw failure;
      await turn();
      return allDone(batch);
    },
  });
  const { indexes, error } = await runAll(verb, "abcdefghij");
  expect(error).toBe(failure);
  expect(sent).toEqual([
    [0, 1],
    [2, 3],
  ]);
  expect(indexes).toEqual([2, 3]);
});

test("an error of the input ends a run after its requests, and names no later one", async () => {
  const thrown = new Error("no disk");
  const inputs = (function* () {
    yield* "ab";
    throw thrown;
  })();
  const { verb, sent } = verbOf();
  const { indexes, error } = await runAll(verb, inputs);
  expect(error).toMatchObject({ thrower: "the input", thrown });
  expect([sent, indexes]).toEqual([[[0, 1]], [0, 1]]);
});

test("broken chunks are read back together at the end, and what is missing is sent again", async () => {
  let sends = 0;
  const looks: number[][] = [];
  const { verb, sent } = verbOf({
    send: async (batch) => (sends++ < 3 ? lose(batch) : allDone(batch)),
    look: async (chunks) => {
      looks.push(chunks.map(({ number }) => number));
      return {
        lags: false,
        resultOf: ({ index }) => (index === 1 ? done(index) : undefined),
        isUnclear: () => false,
        rejectedOf: ({ index }) => done(index),
      };
    },
  });
  const { indexes, error } = await runAll(verb, "abcde");
  expect(error).toBeUndefined();
  expect(looks).toEqual([[0, 1, 2]]);
  // Missing inputs of all chunks share the requests.
  expect(sent).toEqual([[0, 1], [2, 3], [4], [0, 2], [3, 4]]);
  expect(indexes.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
});

test("a hundred broken chunks are read back before more are sent", async () => {
  const looks: number[] = [];
  const { verb } = verbOf({
    chunksAtOnce: () => 1,
    send: async (batch) => lose(batch),
    look: async (chunks) => {
      looks.push(chunks.length);
      return {
        lags: false,
        resultOf: ({ index }) => done(index),
        isUnclear: () => false,
        rejectedOf: ({ index }) => done(index),
      };
    },
  });
  const inputs = Array.from({ length: 101 }, (_, index) => `device ${index}`);
  const logbook = logbookOf();
  const { indexes } = await runAll(verb, inputs, logbook, { chunkSize: 1 });
  expect(looks).toEqual([100, 1]);
  expect(indexes).toHaveLength(101);
});

test("a failure while chunks are read back ends the run", async () => {
  const failure = new Error("403");
  const { verb } = verbOf({
    send: async (batch) => lose(batch),
    look: () => Promise.reject(failure),
  });
  expect((await runAll(verb, "abcd")).error).toBe(failure);
});

test("after a failure while something is sent again, nothing more is sent", async () => {
  const failure = new Error("401");
  let sends = 0;
  const { verb, sent } = verbOf({
    send: async (batch) => {
      if (sends++ >= 2) throw failure;
      return lose(batch);
    },
    look: async () => ({
      lags: false,
      resultOf: () => undefined,
      isUnclear: () => false,
      rejectedOf: ({ index }) => done(index),
    }),
  });
  expect((await runAll(verb, "abcd")).error).toBe(failure);
  expect(sent).toHaveLength(3);
});

test("only successes are known to be carried out", async () => {
  const { verb, known } = verbOf({
    send: async (batch) => ({
      results: new Map(
        batch.map(({ index }) => [
          index,
          { index, status: (["done", "failed", "created", "unknown"] as const)[index]! },
        ]),
      ),
    }),
  });
  await runAll(verb, "abcd");
  expect(known).toEqual([0, 2]);
});

/** Runs one chunk after the other and returns the checkpoint. */
async function checkpointOf(inputs: string): Promise<BulkCheckpoint> {
  const logbook = logbookOf();
  await runAll(verbOf().verb, inputs, logbook);
  return logbook.checkpoint!;
}

test("chunks of a checkpoint that are done are not sent, and their successes are known", async () => {
  const checkpoint = await checkpointOf("abcd");
  const { verb, sent, known } = verbOf();
  const onProgress = vi.fn();
  const { indexes } = await runAll(verb, "abcdef", logbookOf(checkpoint, { onProgress }));
  expect([sent, indexes]).toEqual([[[4, 5]], [4, 5]]);
  expect(known).toEqual([0, 1, 2, 3, 4, 5]);
  expect(onProgress.mock.calls[0]?.[0]).toMatchObject({ done: 4, settled: 4 });
});

test("a new run reports no progress before its first chunk is settled", async () => {
  const onProgress = vi.fn();
  await runAll(verbOf().verb, "ab", logbookOf(undefined, { onProgress }));
  expect(onProgress.mock.calls).toMatchObject([[{ settled: 2 }]]);
});

test("nothing is sent before all chunks of a checkpoint are read and match it", async () => {
  const checkpoint = await checkpointOf("abcd");
  for (const inputs of ["abcx", "ab"]) {
    const changed = { ...checkpoint, done: ["", checkpoint.done[1]!] };
    const { verb, sent } = verbOf();
    const { error } = await runAll(verb, inputs, logbookOf(changed));
    expect(String(error)).toContain("it belongs to other devices");
    expect(sent).toEqual([]);
  }
});

test.each([
  ["at_work", NOW + 700, "ours", 5_700],
  ["at_work", NOW + 700, "theirs", 15_700],
  ["at_work", NOW * 9, "theirs", 17_000],
  ["at_work", 0, "theirs", 5_000],
  ["responded", NOW + 700, "theirs", 5_000],
  ["broken", NOW + 700, "ours", 5_000],
  ["maybe", 0, "theirs", 7_000],
] as const)(
  "an open chunk of a checkpoint is looked up when its request has ended: %s, %d, %s",
  async (kind, until, whose, wait) => {
    const before = logbookOf();
    before.begin({ ...EMPTY, pending: [], results: [done(0)] });
    const ours = before.checkpoint!.open[0]!.writer;
    const [digest = ""] = (await checkpointOf("ab")).done;
    const writer = whose === "ours" ? ours : "another";
    const open = [{ chunk: 0, digest, size: 2, kind, until, writer, items: [1] }];
    const checkpoint = { ...(await checkpointOf("ab")), done: [], open, changed: 0 };
    const looked: unknown[] = [];
    const { verb, sent } = verbOf({
      look: async (chunks) => {
        looked.push(chunks.map(({ pending }) => pending.map((item) => [item.index, item.doubt])));
        return {
          lags: false,
          resultOf: ({ index }) => done(index),
          isUnclear: () => false,
          rejectedOf: ({ index }) => done(index),
        };
      },
    });
    const { indexes, context } = await runAll(verb, "ab", logbookOf(checkpoint));
    // The checkpoint names the second place only, so the other one is sent meanwhile.
    expect([sent, indexes]).toEqual([[[0]], [0, 1]]);
    expect(looked).toEqual([[[[1, kind]]]]);
    expect(context.used.sleeps).toEqual([wait]);
  },
);

test("the next owner of a lease looks up every chunk when the requests of the last one have ended", async () => {
  const { verb, sent } = verbOf();
  const logbook = logbookOf();
  const { indexes, context } = await runAll(verb, "ab", logbook, { hadOwner: true });
  expect([sent, indexes]).toEqual([[], [0, 1]]);
  expect(context.used.sleeps).toEqual([7_000]);
});

test("what was sent is stored before each request, and stays open when an abort ends the run", async () => {
  const saved: BulkCheckpoint[] = [];
  const controller = new AbortController();
  const { verb } = verbOf({
    chunksAtOnce: () => 1,
    send: async (batch, { announce }) => {
      await announce();
      if (batch[0]?.index === 0) return allDone(batch);
      controller.abort();
      return lose(batch, "at_work");
    },
  });
  const onCheckpoint = (each: BulkCheckpoint) => void saved.push(each);
  const logbook = logbookOf(undefined, { onCheckpoint });
  await runAll(verb, "abcdef", logbook, { signal: controller.signal });
  expect(saved.map(({ changed, unsettled }) => [changed, unsettled])).toEqual([
    [0, 2],
    [2, 0],
    [2, 2],
  ]);
  expect(saved[2]?.open).toMatchObject([{ chunk: 1, kind: "at_work", until: NOW + 4_000 }]);
  // Exact now: no request begins any more.
  expect(logbook.checkpoint?.open).toMatchObject([{ chunk: 1, until: NOW + 2_000 }]);
  expect(logbook.progress).toMatchObject({ done: 2, unsettled: 2 });
});

test("leaving a run aborts its requests in progress", async () => {
  const signals: AbortSignal[] = [];
  const { verb } = verbOf({
    send: async (batch, { signal }) => {
      if (batch[0]?.index === 0) {
        await turn();
        return allDone(batch);
      }
      signals.push(signal!);
      await new Promise((resolve) => signal!.addEventListener("abort", resolve));
      return lose(batch, "at_work");
    },
  });
  const context = contextOf();
  const opened = openInputs(Array.from("abcdef"), context.clock);
  for await (const _ of run(verb, opened, { ...context, hadOwner: false }, logbookOf())) break;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test("an aborted signal ends a run at once, and its requests too", async () => {
  const controller = new AbortController();
  const { verb, sent } = verbOf({
    send: async (batch, { signal }) => {
      queueMicrotask(() => controller.abort("enough"));
      await new Promise((_resolve, reject) => signal!.addEventListener("abort", reject));
      return lose(batch);
    },
  });
  const { error } = await runAll(verb, "abcdef", logbookOf(), { signal: controller.signal });
  expect(error).toBe("enough");
  expect(sent.length).toBeLessThanOrEqual(2);
});
