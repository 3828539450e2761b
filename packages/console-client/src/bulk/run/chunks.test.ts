import { expect, test } from "vitest";
import { doubtOf, excludeEqual, failedOf, invalidOf, readChunks, recall } from "./chunks.ts";
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

test("a digest depends on the inputs of a chunk and their order, and on nothing else", async () => {
  const [one, two] = await digestsOf("a", "b", "c", "d");
  expect(await digestsOf("x", "y", "c", "d")).toEqual([expect.anything(), two]);
  expect(one).not.toBe(two);
  for (const other of [["b", "a"], ["a", "x"], ["x", "b"], ["a"], ["a", "bad"], ["a", "a"]])
    expect((await digestsOf(...other))[0]).not.toBe(one);
  expect(one).toMatch(/^[\da-f]{1,14}$/);
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
