import { hashText, memberOf } from "@fieldmesh/core/internal";
import type { Problem } from "@fieldmesh/http";
import type {
  Ambiguity,
  AnyResult,
  BatchOutcome,
  Chunk,
  Identity,
  PendingItem,
  Verb,
} from "./verb.ts";

/** Adds the outcome of a request to one of the chunks that it contained inputs of. */
export function settle<Item extends PendingItem>(
  chunk: Chunk<Item>,
  batch: readonly Item[],
  { results, ambiguity }: BatchOutcome,
): void {
  const sent = new Set(batch);
  chunk.hasResponse ||= chunk.pending.some((item) => sent.has(item) && item.hasResponse === true);
  chunk.results.push(...chunk.pending.flatMap(({ index }) => results.get(index) ?? []));
  chunk.pending = chunk.pending.filter(({ index }) => !results.has(index));
  const left = chunk.pending.filter((item) => sent.has(item));
  // Another request with inputs of the chunk may have timed out.
  if (left.length > 0) chunk.ambiguity = ambiguity && later(chunk.ambiguity, ambiguity);
  for (const item of left) item.sentBefore = true;
}

/** Combines two broken requests: the wait begins with the last one, and a timeout of either counts. */
export function later(a: Ambiguity | undefined, b: Ambiguity): Ambiguity {
  return { ...b, timedOut: b.timedOut || a?.timedOut === true };
}

/** Moves inputs with a result from pending to the results, and returns them. */
export function take<Item extends PendingItem>(
  chunk: Chunk<Item>,
  resultOf: (item: Item) => AnyResult | undefined,
): Item[] {
  const taken: Item[] = [];
  chunk.pending = chunk.pending.filter((item) => {
    const result = resultOf(item);
    if (result === undefined) return true;
    chunk.results.push(result);
    taken.push(item);
    return false;
  });
  return taken;
}

const HEX = 16;

/** Splits inputs from any source into chunks. Checks each input. */
export async function* readChunks<Item extends PendingItem>(
  source: Iterable<unknown> | AsyncIterable<unknown>,
  chunkSize: number,
  { readInput, exclude }: Verb<Item>,
): AsyncGenerator<Chunk<Item>, void, undefined> {
  let index = 0;
  let chunk = emptyChunk<Item>(0);
  /** The contents of the inputs of the chunk. */
  let contents: string[] = [];

  const close = (): Chunk<Item> => ({
    ...chunk,
    digest: hashText(contents.join()).toString(HEX),
  });

  for await (const input of source) {
    const read = readInput(input, index);
    if ("status" in read) {
      contents.push("invalid");
      chunk.results.push(read);
    } else {
      contents.push(read.content);
      const failed = exclude(read);
      if (failed === undefined) chunk.pending.push(read);
      else chunk.results.push(failed);
    }
    index++;
    chunk.size++;
    if (chunk.size === chunkSize) {
      yield close();
      chunk = emptyChunk(chunk.number + 1);
      contents = [];
    }
  }
  if (chunk.size > 0) yield close();
}

/** Returns a function that fails the second of two inputs with the same key. `error` precedes the index of the first. */
export function excludeEqual<Item extends PendingItem>(error: string): Verb<Item>["exclude"] {
  const firstIndex = new Map<string, number>();
  return (item) => {
    const first = firstIndex.get(item.key);
    if (first !== undefined) return failedOf(item, "duplicate", `${error}, at index ${first}`);
    firstIndex.set(item.key, item.index);
    return undefined;
  };
}

/** Creates the result of a failed input. */
export function failedOf({ identity }: PendingItem, reason: string, error: string): AnyResult {
  return { status: "failed", reason, ...identity, error };
}

/** Returns the field with the id of an input that breaks rules. `undefined` if it is not valid: its value may be a key. */
export function validId(
  input: unknown,
  field: string,
  problems: readonly Problem[],
): string | undefined {
  const value = memberOf(input, field);
  const isWrong = problems.some(({ path }) => path === field || path === "");
  return typeof value === "string" && !isWrong ? value : undefined;
}

/** Creates the result of an input that breaks rules. */
export function invalidOf(identity: Identity, problems: readonly Problem[]): AnyResult {
  const error = problems
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
    .join("; ");
  return { status: "failed", reason: "invalid", ...identity, error };
}

/** Creates the result of an input with an unknown outcome. */
export function unknownOf({ identity }: PendingItem, error: string): AnyResult {
  return { status: "unknown", ...identity, error };
}

/** Creates the error of a rejected input. The rejection may mean that an earlier, broken request with it was carried out. */
export function rejectedAgain(rejection: string): string {
  return `an earlier request with it broke and may have been carried out; the retry was rejected: ${rejection}`;
}

function emptyChunk<Item extends PendingItem>(number: number): Chunk<Item> {
  return {
    number,
    size: 0,
    digest: "",
    results: [],
    pending: [],
    ambiguity: undefined,
    rounds: 0,
    hasResponse: false,
    isRead: false,
  };
}
