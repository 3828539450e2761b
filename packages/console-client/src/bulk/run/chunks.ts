import { hashText, memberOf } from "@fieldmesh/core/internal";
import type { Problem } from "@fieldmesh/http";
import type { OpenChunk } from "./checkpoint.ts";
import type {
  AnyResult,
  BatchOutcome,
  Chunk,
  Doubt,
  Identity,
  PendingItem,
  Verb,
} from "./run-parts.ts";

/** Adds the outcome of a request to one of the chunks that it contained inputs of. */
export function settle<Item extends PendingItem>(
  chunk: Chunk<Item>,
  { results, error }: BatchOutcome,
): void {
  take(chunk, ({ index }) => results.get(index));
  chunk.error = error ?? chunk.error;
}

/** From the one that proves least to the one that another request never removes. */
const DOUBTS: readonly Doubt[] = ["maybe", "broken", "responded", "at_work"];

/** Notes that inputs may have been carried out. A stronger reason of an earlier request remains. */
export function doubt(items: readonly PendingItem[], kind: Doubt): void {
  for (const item of items) item.doubt = strongest([kind, item.doubt]) ?? kind;
}

function strongest(kinds: readonly (Doubt | undefined)[]): Doubt | undefined {
  return DOUBTS.findLast((kind) => kinds.includes(kind));
}

/** Results of inputs that a request may have carried out. The others of a chunk have the same result when it is sent again. */
const CARRIED_OUT: ReadonlySet<unknown> = new Set(["created", "done", "unknown"]);

/** Describes what is not certain about a chunk, for a checkpoint. `undefined` if nothing of it may have been carried out. */
export function doubtOf(
  chunk: Chunk,
): Pick<OpenChunk, "chunk" | "digest" | "size" | "kind" | "items"> | undefined {
  const { number, digest, size, isAtWork, pending, results } = chunk;
  const doubted = pending.filter((item) => isAtWork || item.doubt !== undefined);
  const settled = results.filter(({ status }) => CARRIED_OUT.has(status));
  const all = [...doubted, ...settled];
  if (all.length === 0) return undefined;
  const kinds = doubted.map((item) => (isAtWork ? "at_work" : item.doubt));
  // An invalid or excluded input is found again when the input is read.
  const others = results.filter(
    ({ status, reason }) => status === "failed" && reason !== "rejected",
  );
  const entry = { chunk: number, digest, size, kind: strongest(kinds) ?? "responded" };
  if (all.length + others.length === size) return entry;
  return { ...entry, items: all.map(({ index }) => index).sort((a, b) => a - b) };
}

/** Marks the inputs of a chunk that an earlier run may have carried out. */
export function recall(chunk: Chunk, { kind, items }: Pick<OpenChunk, "kind" | "items">): void {
  const places = items && new Set(items);
  doubt(
    chunk.pending.filter(({ index }) => places?.has(index) ?? true),
    kind,
  );
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

/** Creates a chunk without inputs. */
export function emptyChunk<Item extends PendingItem>(number: number): Chunk<Item> {
  return {
    number,
    size: 0,
    digest: "",
    results: [],
    pending: [],
    isAtWork: false,
    until: 0,
    error: undefined,
    rounds: 0,
    isRead: false,
  };
}
