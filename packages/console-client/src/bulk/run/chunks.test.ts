import { expect, test } from "vitest";
import {
  doubt,
  doubtOf,
  excludeEqual,
  failedOf,
  invalidOf,
  readChunks,
  recall,
  rejectedAgain,
  settle,
  take,
  unknownOf,
} from "./chunks.ts";
import type { CallError } from "@fieldmesh/http";
import type { AnyResult, Chunk, PendingItem, Verb } from "./run-parts.ts";

const itemOf = (index: number, key = `key ${index}`): PendingItem => ({
  index,
  key,
  content: `content of ${key}`,
  identity: { index, dev_eui: `eui ${index}` },
});
const chunkOf = (...pending: PendingItem[]): Chunk => ({
  number: 0,
  size: pending.length,
  digest: "",
  results: [],
  pending,
  isAtWork: false,
  until: 0,
  error: undefined,
  rounds: 0,
  isRead: false,
});
const created = (index: number): AnyResult => ({ index, status: "created" });
const doubted = (index: number): PendingItem => ({ ...itemOf(index), doubt: "broken" });

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
      until: 0,
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

test("an outcome settles the inputs that it names, and keeps the error of a broken request", () => {
  const [a, b] = [itemOf(0), itemOf(1)];
  const chunk = chunkOf(a, b);
  const error = new Error("reset") as CallError;
  settle(chunk, { results: new Map([[0, created(0)]]), error });
  expect(chunk).toMatchObject({ results: [created(0)], pending: [b], error });
  settle(chunk, { results: new Map() });
  expect(chunk.error).toBe(error);
});

test("a doubt of an earlier request gives way to a stronger one only", () => {
  const kinds = ["maybe", "broken", "responded", "at_work"] as const;
  for (const [at, earlier] of kinds.entries())
    for (const [place, kind] of kinds.entries()) {
      const item = { ...itemOf(0), doubt: earlier };
      doubt([item], kind);
      expect(item.doubt).toBe(kinds[Math.max(at, place)]);
    }
});

test.each<[string, Partial<Chunk>, object | undefined]>([
  ["nothing was sent", {}, undefined],
  ["all of it is at work", { isAtWork: true }, { kind: "at_work" }],
  ["one of it is in doubt", { pending: [itemOf(0), doubted(1)] }, { kind: "broken", items: [1] }],
  [
    "the rest is invalid",
    { pending: [doubted(1)], results: [invalidOf({ index: 0 }, [])] },
    { kind: "broken" },
  ],
  [
    "the rest was rejected",
    { pending: [doubted(1)], results: [failedOf(itemOf(0), "rejected", "")] },
    { kind: "broken", items: [1] },
  ],
  ["the rest was created", { pending: [doubted(1)], results: [created(0)] }, { kind: "broken" }],
  ["all was created", { pending: [], results: [created(0), created(1)] }, { kind: "responded" }],
  [
    "all was skipped",
    { pending: [], results: [0, 1].map((index) => ({ index, status: "skipped" })) },
    undefined,
  ],
])("a chunk is recorded with what may have been carried out, if %s", (_what, changed, expected) => {
  const chunk = { ...chunkOf(itemOf(0), itemOf(1)), ...changed };
  const entry = expected && { chunk: 0, digest: "", size: 2, ...expected };
  expect(doubtOf(chunk)).toEqual(entry);
  const next = chunkOf(itemOf(0), itemOf(1));
  if (entry !== undefined) recall(next, entry as never);
  const places = expected === undefined ? [] : ((expected as { items?: number[] }).items ?? [0, 1]);
  expect(next.pending.filter((item) => item.doubt).map(({ index }) => index)).toEqual(places);
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
