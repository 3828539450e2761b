import type { RequestDetails, LoggedRequest } from "../log/logged-request.ts";
import type { WritableLog } from "../log/request-log.ts";
import { nextTurn } from "../time/sleepers.ts";
import type { KeysOf } from "./key-owner.ts";
import { viewRequest } from "./request-details.ts";
import { mistake, stringifyJson } from "@fieldmesh/core/internal";
import { redactEvent } from "@fieldmesh/webhook-types/parse";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { wordsOf } from "./filter.ts";
import type { BodyMatches } from "./wire.ts";
import type { Feed } from "../services/feed.ts";
import type { Handler } from "../serve/serve.ts";

/** Requests that are searched before others may use the process. */
const BATCH = 100;

/** Returns what contains each word: requests by what the page shows of their headers, queries and bodies, and events by their data. */
export async function searchBodies(
  { log, webhooks, served }: Searching,
  words: string,
): Promise<BodyMatches> {
  const found = wordsOf(words).map((word) => {
    const numbers: Record<"requests" | "headers", number[]> = { requests: [], headers: [] };
    return { word, ...numbers, events: [] as string[] };
  });
  for (const [at, { number }] of log.requests().entries()) {
    if (at % BATCH === BATCH - 1) await nextTurn();
    const details = log.find(number);
    if (details === undefined) continue;
    const [inHeaders, text] = textsOf(details, served);
    for (const { word, requests, headers } of found) {
      if (text.includes(word)) requests.push(number);
      if (inHeaders.includes(word)) headers.push(number);
    }
  }
  for (const event of webhooks.events()) {
    const text = searchable(redactEvent(event));
    for (const { word, events } of found) if (text.includes(word)) events.push(event.id);
  }
  return Object.fromEntries(found.map(({ word, ...inside }) => [word, inside]));
}

interface Searching {
  readonly log: WritableLog;
  readonly webhooks: Webhooks;
  readonly served: KeysOf;
}

/** A hidden value is hidden here too, so that a search does not find it. */
function textsOf(details: RequestDetails, keys: KeysOf): readonly [headers: string, rest: string] {
  const { headers, response, ...others } = viewRequest(details, keys);
  const left = { program: undefined, played: undefined, client: undefined, key: undefined };
  const shown = { ...others, ...left };
  return [searchable([headers, response?.headers]), searchable([shown, response?.body])];
}

function searchable(shown: unknown): string {
  return stringifyJson(shown).toLowerCase();
}

/** Sends a logged request again, and returns its new number. Throws a TypeError if the log has forgotten part of the body. */
export async function resend(
  { number: before, method, url, headers, body, bodyLength }: LoggedRequest,
  { feed, handler }: { readonly feed: Feed; readonly handler: Handler },
): Promise<number | undefined> {
  if (body?.length !== bodyLength)
    throw mistake(
      `The log has not kept the whole body of request ${before}, so it cannot send it again. Send it from your own program.`,
    );
  let number: number | undefined;
  const stop = feed.watch((activity) => {
    if (activity.kind !== "request" || number !== undefined) return;
    const { request } = activity;
    if (request.method === method && request.url === url && request.body === body)
      ({ number } = request);
  });
  const isBodyless = method === "GET" || method === "HEAD";
  try {
    await handler(
      // The handlers read the path alone.
      new Request(`http://sandbox.invalid${url}`, {
        method,
        headers,
        ...(!isBodyless && { body }),
      }),
    );
  } catch {
    // A fault has broken the connection, which the log shows.
  } finally {
    stop();
  }
  return number;
}
