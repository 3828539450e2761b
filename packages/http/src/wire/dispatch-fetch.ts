import { pipeline, type Readable, type Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { mistake, options, withMethods } from "@fieldmesh/core/internal";
import type { Dispatcher } from "undici";
import type { FetchFunction } from "./fetch-attempt.ts";

/** How {@link dispatchFetch} sends requests. */
export interface DispatchFetchOptions {
  /**
   * An agent of undici, such as one with certificates, a proxy or HTTP/2.
   *
   * @default - one `Agent` for the process, created with the first request
   */
  readonly dispatcher?: Dispatcher | undefined;
}

/**
 * Creates a `fetch` for the option of a client that runs in Node. It passes requests directly to undici, without the objects and
 * streams of the web, which saves CPU time. Requires the package `undici`, of version 7 or 8, and loads it with the first request.
 * The responses are for a client: they have no `json()`, and their body is a stream of Node.
 *
 * @example
 * ```ts
 * const client = createConsoleClient({ baseUrl, apiKey, fetch: dispatchFetch() });
 * ```
 */
export function dispatchFetch(given?: DispatchFetchOptions): FetchFunction {
  const { dispatcher } = readOptions(given);
  return async (url, { method, headers, body: sent = null, signal }) => {
    const agent = dispatcher ?? (await (ownAgent ??= createAgent()));
    const { origin, pathname, search } = new URL(url);
    const { statusCode: status, ...response } = await agent.request({
      origin,
      path: pathname + search,
      method: method as Dispatcher.HttpMethod,
      headers: { "accept-encoding": "gzip, deflate, br", ...Object.fromEntries(headers) },
      body: sent,
      signal,
    });
    const received = new Headers();
    for (const [name, values = []] of Object.entries(response.headers))
      for (const value of [values].flat()) received.append(name, value);
    const body = decompress(response.body, received.get("content-encoding"));
    return { status, ok: status >= 200 && status <= 299, headers: received, body };
  };
}

const readOptions = /* @__PURE__ */ options<DispatchFetchOptions>("dispatchFetch", {
  dispatcher: /* @__PURE__ */ withMethods("an agent of undici, such as new Agent()", "request"),
});

let ownAgent: Promise<Dispatcher> | undefined;

async function createAgent(): Promise<Dispatcher> {
  const { Agent } = await import("undici").catch(() => {
    throw mistake("dispatchFetch requires undici: run npm install undici.");
  });
  return new Agent();
}

/** Decodes a body like fetch: without its end, as far as it goes, and not at all if it is in an unknown coding or in too many. */
function decompress(body: Readable, codings: string | null): Readable {
  const names = codings?.toLowerCase().split(",") ?? [];
  const steps = names.flatMap((name) => DECODERS.get(name.trim()) ?? []);
  if (steps.length < names.length || steps.length > MOST_CODINGS) return body;
  // An error reaches the reader of the last stream, and its end the first one.
  const decode = (from: Readable, create: () => Transform): Readable =>
    pipeline(from, create(), () => undefined);
  return steps.reduceRight(decode, body);
}

/** More are an attack: each of them takes memory. */
const MOST_CODINGS = 5;
const { Z_SYNC_FLUSH: SYNC, BROTLI_OPERATION_FLUSH: FLUSH } = constants;
const DECODERS = new Map<string, () => Transform>([
  ["gzip", () => createGunzip({ flush: SYNC, finishFlush: SYNC })],
  ["x-gzip", () => createGunzip({ flush: SYNC, finishFlush: SYNC })],
  ["deflate", () => createInflate({ flush: SYNC, finishFlush: SYNC })],
  ["br", () => createBrotliDecompress({ flush: FLUSH, finishFlush: FLUSH })],
]);
