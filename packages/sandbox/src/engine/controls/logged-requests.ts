import type { RequestDetails, LoggedRequest } from "../log/logged-request.ts";
import type { WritableLog } from "../log/request-log.ts";
import { nextTurn } from "../time/sleepers.ts";
import type { KeysOf } from "./key-owner.ts";
import { viewRequest } from "./request-details.ts";
import { mistake } from "@fieldmesh/core/internal";
import type { Feed } from "../services/feed.ts";
import type { Handler } from "../serve/serve.ts";

/** Requests that are searched before others may use the process. */
const BATCH = 100;

/** Returns the numbers of the requests that contain every word in what the page shows of them: headers, query and bodies. */
export async function searchRequests(
  log: WritableLog,
  words: string,
  keys: KeysOf,
): Promise<number[]> {
  // Two spaces have an empty word between them, which every text includes.
  const wanted = words.toLowerCase().split(/\s/);
  const found: number[] = [];
  for (const [at, { number }] of log.requests().entries()) {
    if (at % BATCH === BATCH - 1) await nextTurn();
    const details = log.find(number);
    if (details === undefined) continue;
    const text = textOf(details, keys);
    if (wanted.every((word) => text.includes(word))) found.push(number);
  }
  return found;
}

/** A hidden value is hidden here too, so that a search does not find it. */
function textOf(details: RequestDetails, keys: KeysOf): string {
  const { program: _program, played: _played, ...shown } = viewRequest(details, keys);
  return JSON.stringify(shown, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  ).toLowerCase();
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
