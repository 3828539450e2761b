import { parseJson, recordOf } from "@fieldmesh/core/internal";
import type { Call } from "../serve/call.ts";
import { isJson } from "../serve/read-input.ts";
import { bodyOf } from "../serve/responses.ts";

/** A call as the log and the journal keep it: without its connection, and without its parsed body. */
export interface KeptCall extends Pick<Call, "url" | "row" | "endpoint"> {
  readonly method: string;
  readonly headers: Headers;
  readonly remoteAddress: string | undefined;
  /** The path parameters and the declared query of {@link Call.input}. */
  readonly place: Readonly<Record<string, unknown>>;
  readonly body: KeptBody;
}

/** A body, as long as there is room for it. */
export interface KeptBody {
  /** `undefined` if it was forgotten. Of a request whose key was rejected, the start. */
  text: string | undefined;
  /** The characters of the whole body. */
  readonly length: number;
}

export type KeptCalls = ReturnType<typeof createKeptCalls>;

/** Characters that are kept of the body of a request whose key was rejected. */
const START = 1_024;
/** What a body takes besides its text, in bytes. Without it, empty bodies would have no limit. */
const OVERHEAD = 100;
/** Forgotten bodies are removed from the list when there are as many. */
const MANY = 256;

/** Keeps calls for the log and the journal: bodies of at most `limit` bytes together, and always the newest. */
export function createKeptCalls(limit: number) {
  const known = new WeakMap<Call, KeptCall>();
  let bodies: KeptBody[] = [];
  /** Those before it are forgotten. */
  let oldest = 0;
  let total = 0;

  const add = (body: KeptBody): void => {
    if (body.length === 0) return;
    bodies.push(body);
    total += sizeOf(body);
    while (total > limit && oldest < bodies.length - 1) {
      const forgotten = bodies[oldest++] as KeptBody;
      total -= sizeOf(forgotten);
      forgotten.text = undefined;
    }
    if (oldest < MANY) return;
    bodies = bodies.slice(oldest);
    oldest = 0;
  };

  /** Keeps a call. Returns the same object for the same call. */
  const keep = (call: Call): KeptCall => {
    const found = known.get(call);
    if (found !== undefined) return found;
    const kept = keptOf(call);
    known.set(call, kept);
    add(kept.body);
    return kept;
  };

  return {
    keep,
    /** Forgets the body of a call but its start. */
    keepStart: (call: Call) => {
      const { body } = keep(call);
      if (body.text === undefined) return;
      total -= sizeOf(body);
      // A slice would hold the whole string. A clone does not.
      body.text = structuredClone(body.text.slice(0, START));
      total += sizeOf(body);
    },
    /** Stops counting the bodies of all calls, because nothing holds them any more. */
    clear: () => {
      bodies = [];
      oldest = 0;
      total = 0;
    },
  };
}

function keptOf({ request, url, row, endpoint, input, body, connection }: Call): KeptCall {
  const isPlaced = (name: string) =>
    endpoint !== undefined &&
    (Object.hasOwn(endpoint.path, name) || Object.hasOwn(endpoint.query, name));
  return {
    method: request.method,
    url,
    headers: request.headers,
    remoteAddress: connection.remoteAddress,
    row,
    endpoint,
    place: Object.fromEntries(Object.entries(input).filter(([name]) => isPlaced(name))),
    body: { text: body, length: body.length },
  };
}

function sizeOf({ text = "" }: KeptBody): number {
  // A string has two bytes for each character as soon as one of them needs two.
  const width = /[^\0-\xFF]/.test(text) ? 2 : 1;
  return width * text.length + OVERHEAD;
}

/** Tells whether nothing of a body was forgotten. */
export function isWhole({ text, length }: KeptBody): boolean {
  return text?.length === length;
}

/** Returns the input of a call, whose body is parsed again. */
export function inputOf({ headers, place, body }: KeptCall): Call["input"] {
  if (!isJson({ headers })) return place;
  try {
    return { ...recordOf(parseJson(body.text ?? "")), ...place };
  } catch {
    return place;
  }
}

/** A response as the page of the sandbox shows it. */
export interface KeptResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` for a body that was too long, that a fault made unreadable, or that was forgotten for newer ones. */
  body: string | undefined;
  /** The characters of the whole body. `undefined` if a fault has replaced it. */
  readonly length: number | undefined;
}

/** Characters of one body. A longer one is not kept. */
const LONGEST = 65_536;
/** Characters of all bodies together. Beyond them, the oldest are forgotten. */
const MOST = 2 ** 24;

/** Creates a function that keeps responses in bounded memory. */
export function keepResponses(): (response: Response) => KeptResponse {
  let total = 0;
  const withBody: KeptResponse[] = [];
  return (response) => {
    const body = bodyOf(response);
    const isKept = body !== undefined && body.length <= LONGEST;
    const kept: KeptResponse = {
      headers: Object.fromEntries(response.headers),
      body: isKept ? body : undefined,
      length: body?.length,
    };
    if (!isKept) return kept;
    withBody.push(kept);
    total += body.length;
    if (total > MOST) {
      // Half of them at once: removing one by one would cost more than the request.
      const forgotten = withBody.splice(0, Math.ceil(withBody.length / 2));
      for (const each of forgotten) {
        total -= each.length ?? 0;
        each.body = undefined;
      }
    }
    return kept;
  };
}
