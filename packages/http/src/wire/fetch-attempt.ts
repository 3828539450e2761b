import { isRecord, recordOf } from "@fieldmesh/core/internal";
import type { FetchMistake } from "./network-failure.ts";
import type { FetchedResponse, RawResponse } from "./read-body.ts";
import { checkPath, equalForm } from "./url.ts";

/** The part of the fetch function that is used. It is always called with a URL string. */
export type FetchFunction = (url: string, init: FetchInit) => Promise<FetchedResponse>;

/** The second argument of the fetch function. */
export interface FetchInit {
  method: string;
  headers: Headers;
  body?: string;
  signal: AbortSignal;
  redirect: "manual";
}

// More redirects than this are a loop. An API that has moved needs one.
const MAX_REDIRECTS = 3;

/** Sends one request and reads its response with `read`. Follows a redirected GET within the base URL. */
export async function fetchAttempt<R extends RawResponse>(
  fetch: FetchFunction,
  url: string,
  init: Omit<FetchInit, "redirect">,
  { base, read }: { base: URL; read: (response: FetchedResponse) => Promise<R> },
): Promise<R> {
  let target = url;
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(target, { ...init, redirect: "manual" });
    const next =
      init.method === "GET" && redirects < MAX_REDIRECTS
        ? nextTarget(response, target, base)
        : undefined;
    if (next === undefined) return await read(response);
    // Read instead of canceled, because canceling would close the connection.
    await read(response);
    target = next;
  }
}

/** Returns the target of a redirect if it is within the origin and path of the base URL. The credential must not be sent elsewhere. */
function nextTarget(response: FetchedResponse, current: string, base: URL): string | undefined {
  if (![301, 302, 303, 307, 308].includes(response.status)) return undefined;
  const location = response.headers.get("location");
  if (location === null || !URL.canParse(location, current)) return undefined;
  const next = new URL(location, current);
  const prefix = equalForm(base.pathname).replace(/\/?$/, "/");
  const path = equalForm(next.pathname);
  const within =
    next.origin === base.origin &&
    path.startsWith(prefix) &&
    checkPath(path.slice(prefix.length)) === undefined;
  return within && next.username + next.password === "" ? next.href : undefined;
}

/** Returns the bug if the result of fetch is not a response. Checks members: there may be several Response classes. */
export function findReturnedMistake(response: unknown): FetchMistake | undefined {
  if (!isRecord(response)) {
    const kind = response === null ? "null" : typeof response;
    return { happened: `returned ${kind} instead of a response` };
  }
  const { status, headers, body } = response;
  const missing = [
    typeof status === "number" ? undefined : "status",
    isRecord(headers) && typeof headers["get"] === "function" ? undefined : "headers.get",
    body === null || isStream(body) ? undefined : "a body that is a stream or null",
  ].filter((each) => each !== undefined);
  if (missing.length === 0) {
    const isRead = response["bodyUsed"] === true || recordOf(body)["locked"] === true;
    return isRead
      ? { happened: "returned a response whose body was read: read that of response.clone()" }
      : undefined;
  }
  return { happened: `returned an object without ${missing.join(" and ")}` };
}

/** Tells whether a body is a ReadableStream, or a Node stream as in node-fetch. */
function isStream(body: unknown): boolean {
  return (
    isRecord(body) && (typeof body["getReader"] === "function" || Symbol.asyncIterator in body)
  );
}
