import type { FetchFunction } from "../parts/choose-fetch.ts";
import { isDeepStrictEqual } from "node:util";
import {
  CallError,
  ConnectionError,
  createConsoleClient,
  isApiError,
  TimeoutError,
  type CallOptions,
  type ConsoleClient,
} from "@fieldmesh/console-client";
import { KEY, showsKey } from "./canary.ts";
import { bodyFor } from "../parts/label.ts";

/** The four ways of calling: GET and POST, through the transport alone or through a method with its row. */
export const DOORS = {
  "GET request": (client, options) => client.request({ method: "GET", path: PATH }, options),
  "GET method": (client, options) => client.labels.list(options),
  "POST request": (client, options) =>
    client.request({ method: "POST", path: PATH, body: { name: "Pumps" } }, options),
  "POST method": (client, options) => client.labels.create({ name: "Pumps" }, options),
} satisfies Record<string, (client: ConsoleClient, options: CallOptions) => Promise<unknown>>;

export type Door = keyof typeof DOORS;

const PATH = "/api/v1/labels";

/** A call of the console client. */
export interface Call {
  readonly door: Door;
  readonly url: string;
  readonly fetch?: FetchFunction | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly options?: object | undefined;
  /** Makes the same call once before. */
  readonly warm?: (() => void) | undefined;
}

/** Quick retries, to save time. All other options are the defaults. */
const QUICK = { retry: { baseDelay: 1, maxDelay: 5 }, timeout: 5_000 };
const LIMITED = { maxResponseBytes: 2 ** 20 };

/** Makes a call and describes its result, such as `ConnectionError ECONNRESET unknown`. */
export async function perform(call: Call): Promise<string> {
  const { door, url, fetch, signal, warm } = call;
  const seen: unknown[] = [];
  const see = (...all: unknown[]) => void seen.push(...all);
  const client = createConsoleClient({
    baseUrl: url,
    apiKey: KEY,
    hooks: { onRequest: see, onResponse: see, onFailure: see },
    onDrift: see,
    logger: { debug: see, info: see, warn: see, error: see },
    ...QUICK,
    ...(fetch && { fetch }),
    ...call.options,
  });
  if (warm !== undefined) {
    await DOORS[door](client, LIMITED).catch(() => undefined);
    warm();
  }
  const end = await DOORS[door](client, { signal, ...LIMITED }).then(
    (output) => describeOutput(door, output),
    (error: unknown) => {
      see(error);
      return describeError(error);
    },
  );
  return showsKey(seen) ? `${end} KEY-SHOWN` : end;
}

function describeOutput(door: Door, output: unknown): string {
  if (isDeepStrictEqual(output, JSON.parse(bodyFor(door.split(" ")[0])))) return "ok";
  if (output === undefined) return "nothing";
  return typeof output === "string" ? "text" : "other";
}

/** The class, the code or status, and the outcome. */
export function describeError(error: unknown): string {
  if (!(error instanceof CallError)) return `untyped ${(error as Error)?.name}`;
  const words: unknown[] = [error.name];
  if (isApiError(error)) words.push(error.status);
  if (error instanceof ConnectionError) words.push(error.code);
  if (error instanceof TimeoutError) words.push(error.limit);
  return [...words, error.outcome].join(" ");
}
