import { expect, test } from "vitest";
import {
  excludeEqual,
  failedOf,
  invalidOf,
  later,
  readChunks,
  rejectedAgain,
  settle,
  take,
  unknownOf,
} from "./chunks.ts";
import type { AnyResult, Chunk, PendingItem, Verb } from "./verb.ts";

const itemOf = (index: number, key = `key ${index}`): PendingItem => ({
  index,
  key,
  content: `content of ${key}`,
  identity: { index, dev_eui: `eui ${index}` },
  sentBefore: false,
});
const chunkOf = (...pending: PendingItem[]): Chunk => ({
  number: 0,
  size: pending.length,
  digest: "",
  results: [],
  pending,
  ambiguity: undefined,
  rounds: 0,
  hasResponse: false,
  isRead: false,
});
const created = (index: number): AnyResult => ({ index, status: "created" });
const ambiguity = (since: number, timedOut: boolean) => ({
  since,
  timedOut,
  hasResponded: false,
  error: undefined,
});

/** Each input is its own key. An input that begins with "bad" is invalid. */
const verbOf = () =>
  ({
    exclude: excludeEqual("is the same device"),
    readInput: (input: unknown, index: number) => {
      const key = String(input);
      return key.startsWith("bad") ? invalidOf({ index }, []) : itemOf(index, key);
    },
  }) as unknown as Verb<PendingItem>;

async function chunksOf(inputs: Iterable<unknown>, size: number): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of readChunks(inputs, size, verbOf())) chunks.push(chunk);
  return chunks;
}
const digestsOf = async (...inputs: string[]) =>
  (await chunksOf(inputs, 2)).map(({ digest }) => digest);

test("inputs are split into chunks of one size: the last may be smaller, and none is empty", async () => {
  const chunks = await chunksOf("abcde", 2);
  expect(chunks).toMatchObject([
    { number: 0, size: 2, pending: [{ index: 0 }, { index: 1 }] },
    { number: 1, size: 2, pending: [{ index: 2 }, { index: 3 }] },
    { number: 2, size: 1, pending: [{ index: 4 }] },
  ]);
  for (const chunk of chunks)
    expect(chunk).toMatchObject({
      results: [],
      ambiguity: undefined,
      rounds: 0,
      isRead: false,
    });
  expect(await chunksOf("abcd", 2)).toHaveLength(2);
  expect(await chunksOf("", 2)).toEqual([]);
});

test("an invalid input, and the second of two equal inputs, is settled without a request", async () => {
  const [first, second] = await chunksOf(["a", "bad", "b", "a"], 2);
  expect(first).toMatchObject({
    size: 2,
    pending: [{ index: 0 }],
    results: [{ index: 1, status: "failed", reason: "invalid" }],
  });
  expect(second).toMatchObject({
    size: 2,
    pending: [{ index: 2 }],
    results: [
      {
        index: 3,
        status: "failed",
        reason: "duplicate",
        dev_eui: "eui 3",
        error: "is the same device, at index 0",
      },
    ],
  });
});

test("a digest depends on the inputs of a chunk and their order, and on nothing else", async () => {
  const [one, two] = await digestsOf("a", "b", "c", "d");
  expect(await digestsOf("x", "y", "c", "d")).toEqual([expect.anything(), two]);
  expect(one).not.toBe(two);
  for (const other of [["b", "a"], ["a", "x"], ["x", "b"], ["a"], ["a", "bad"], ["a", "a"]])
    expect((await digestsOf(...other))[0]).not.toBe(one);
  expect(one).toMatch(/^[\da-f]{1,14}$/);
});

test("an outcome settles the inputs that it names, and an input that was sent without a result stays open", () => {
  const [a, b, c] = [itemOf(0), itemOf(1), itemOf(2)];
  const chunk = chunkOf(a, b, c);
  const broke = ambiguity(5, false);
  settle(chunk, [a, b], { results: new Map([[0, created(0)]]), ambiguity: broke });
  expect(chunk).toMatchObject({ results: [created(0)], pending: [b, c], ambiguity: broke });
  expect([a, b, c].map(({ sentBefore }) => sentBefore)).toEqual([false, true, false]);
});

test("a request that settles all its inputs does not change the ambiguity of an earlier broken request", () => {
  const [a, b] = [itemOf(0), itemOf(1)];
  const chunk = chunkOf(a, b);
  const broke = ambiguity(5, true);
  settle(chunk, [a], { results: new Map(), ambiguity: broke });
  settle(chunk, [b], { results: new Map([[1, created(1)]]), ambiguity: undefined });
  expect(chunk).toMatchObject({ pending: [a], ambiguity: broke });
  settle(chunk, [a], { results: new Map(), ambiguity: undefined });
  expect(chunk.ambiguity).toBeUndefined();
});

test("of two broken requests, the later one starts the wait, and a timeout of either counts", () => {
  expect(later(undefined, ambiguity(1, false))).toEqual(ambiguity(1, false));
  expect(later(undefined, ambiguity(1, true))).toEqual(ambiguity(1, true));
  expect(later(ambiguity(1, true), ambiguity(2, false))).toEqual(ambiguity(2, true));
  expect(later(ambiguity(1, false), ambiguity(2, true))).toEqual(ambiguity(2, true));
  expect(later(ambiguity(1, false), ambiguity(2, false))).toEqual(ambiguity(2, false));
  const chunk = chunkOf(itemOf(0));
  settle(chunk, chunk.pending, { results: new Map(), ambiguity: ambiguity(1, true) });
  settle(chunk, chunk.pending, { results: new Map(), ambiguity: ambiguity(2, false) });
  expect(chunk.ambiguity).toEqual(ambiguity(2, true));
});

test("take removes the inputs that have a result, and keeps the others", () => {
  const [a, b, c] = [itemOf(0), itemOf(1), itemOf(2)];
  const chunk = chunkOf(a, b, c);
  const taken = take(chunk, ({ index }) => (index === 1 ? undefined : created(index)));
  expect(taken).toEqual([a, c]);
  expect(chunk).toMatchObject({ pending: [b], results: [created(0), created(2)] });
});

test("each result names its input and what happened to it", () => {
  const identity = { index: 3, dev_eui: "eui 3" };
  expect(failedOf(itemOf(3), "rejected", "is taken")).toEqual({
    ...identity,
    status: "failed",
    reason: "rejected",
    error: "is taken",
  });
  expect(unknownOf(itemOf(3), "it broke")).toEqual({
    ...identity,
    status: "unknown",
    error: "it broke",
  });
  const problems = [
    { path: "", message: "must be an object" },
    { path: "dev_eui", message: "is missing" },
  ];
  expect(invalidOf(identity, problems)).toEqual({
    ...identity,
    status: "failed",
    reason: "invalid",
    error: "must be an object; dev_eui: is missing",
  });
  expect(rejectedAgain("is taken")).toBe(
    "an earlier request with it broke and may have been carried out; the retry was rejected: is taken",
  );
});
