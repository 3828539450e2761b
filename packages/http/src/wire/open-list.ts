import { openBody, type BodyReader } from "@fieldmesh/core/internal";
import { readBody, type FetchedResponse, type RawResponse } from "./read-body.ts";
import { splitArray } from "./split-array.ts";

/** The body of a response while its elements are read. */
export interface OpenList {
  /**
   * Returns the texts of the next elements, or `undefined` at the end. `wait` runs each wait for a part of the body. Throws what
   * `wait` throws, the error of the connection, or {@link ENDED_EARLY}.
   */
  next(wait: Wait): Promise<readonly string[] | undefined>;
  /** Reads until the first element is there. The next call of `next` returns it. */
  begin(wait: Wait): Promise<void>;
  /** Why no element follows the last ones, although the array has not ended. */
  readonly problem: "not JSON" | "not UTF-8" | "too long" | undefined;
  /** The bytes that were read, after decompression. */
  readonly bytes: number;
  /** Closes the connection, unless the body was read to its end. */
  close(): void;
}

/** Runs one wait for a part of a body. */
export type Wait = <T>(read: () => Promise<T>) => Promise<T>;

/** The body ended within the array. */
export const ENDED_EARLY = new Error("the body ended within the list");

/** A response, and its body if that is an array. */
export interface BegunResponse extends RawResponse {
  /** `body` is empty then. */
  readonly list?: OpenList | undefined;
}

/** Begins to read a body. An element, or a whole body that is not an array, has at most `maxBytes` after decompression. */
export async function beginList(
  response: FetchedResponse,
  maxBytes: number,
): Promise<BegunResponse> {
  const { status, headers, ok, body } = response;
  if (body === null) return await readBody(response, maxBytes);
  const reader = openBody(body);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const chunks: Uint8Array[] = [];
  let text = "";
  while (text.trimStart() === "" && text.length <= maxBytes) {
    const { value } = await reader.read();
    if (value === undefined) break;
    chunks.push(value);
    try {
      text += decoder.decode(value, { stream: true });
    } catch {
      break;
    }
  }
  const start = text.trimStart();
  if (!start.startsWith("["))
    return await readBody({ status, headers, ok, body: rejoin(chunks, reader) }, maxBytes);
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  const list = openList(reader, decoder, { first: start.slice(1), bytes, maxBytes });
  return { status, headers, body: "", bytes, list };
}

function openList(
  reader: BodyReader,
  decoder: InstanceType<typeof TextDecoder>,
  { first, bytes, maxBytes }: { readonly first: string; bytes: number; readonly maxBytes: number },
): OpenList {
  const splitter = splitArray(maxBytes);
  let ready = splitter.push(first);
  let problem = problemOf(splitter.end);
  let isRead = false;

  async function readMore(wait: Wait): Promise<void> {
    const { value } = await wait(() => reader.read());
    isRead = value === undefined;
    bytes += value?.byteLength ?? 0;
    let text: string;
    try {
      text = decoder.decode(value, { stream: !isRead });
    } catch {
      problem = "not UTF-8";
      return;
    }
    ready = splitter.push(text);
    problem = problemOf(splitter.end);
    if (isRead && splitter.end === undefined) throw ENDED_EARLY;
  }

  async function begin(wait: Wait): Promise<void> {
    while (ready.length === 0 && !isRead && problem === undefined) await readMore(wait);
  }

  return {
    begin,
    async next(wait) {
      await begin(wait);
      if (ready.length === 0) return undefined;
      const texts = ready;
      ready = [];
      return texts;
    },
    get problem() {
      return problem;
    },
    get bytes() {
      return bytes;
    },
    close: () => reader.cancel(),
  };
}

function problemOf(end: ReturnType<typeof splitArray>["end"]): OpenList["problem"] {
  return end === "complete" ? undefined : end;
}

/** Returns a body whose beginning was read already. */
function rejoin(chunks: Uint8Array[], reader: BodyReader): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const chunk = chunks.shift() ?? (await reader.read()).value;
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
    cancel: () => reader.cancel(),
  });
}
