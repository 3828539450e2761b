import { readBytes } from "@fieldmesh/core";

/** The part of the fetch function that is used. It is always called with a URL string. */
export type FetchFunction = (url: string, init: FetchInit) => Promise<Response>;

/** The second argument of the fetch function. */
export interface FetchInit {
  method: string;
  headers: Headers;
  body?: string;
  signal: AbortSignal;
  redirect: "manual";
}

/** A completely read response. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly bytes: number;
  /** The body was larger than allowed and was dropped. */
  readonly tooLarge: boolean;
  /** `false` if bytes of the body are not UTF-8, so that the string contains replacement characters. @default true */
  readonly isUtf8?: boolean;
}

// More redirects than this are a loop. An API that has moved needs one.
const MAX_REDIRECTS = 3;
// Enough for any error message. A longer body from a proxy is not worth reading.
const MAX_ERROR_BYTES = 256 * 1024;

/** Sends one request and reads its whole response. Follows a redirected GET within the base URL. */
export async function fetchAttempt(
  fetch: FetchFunction,
  url: string,
  init: Omit<FetchInit, "redirect">,
  { base, maxBytes }: { base: URL; maxBytes: number },
): Promise<RawResponse> {
  let target = url;
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(target, { ...init, redirect: "manual" });
    const next =
      init.method === "GET" && redirects < MAX_REDIRECTS
        ? nextTarget(response, target, base)
        : undefined;
    if (next === undefined) return readResponse(response, maxBytes);
    // Read instead of canceled, because canceling would close the connection.
    await readResponse(response, maxBytes);
    target = next;
  }
}

/** Returns the target of a redirect if it is within the origin and path of the base URL. The credential must not be sent elsewhere. */
function nextTarget(response: Response, current: string, base: URL): string | undefined {
  if (![301, 302, 303, 307, 308].includes(response.status)) return undefined;
  const location = response.headers.get("location");
  if (location === null || !URL.canParse(location, current)) return undefined;
  const next = new URL(location, current);
  const prefix = base.pathname.endsWith("/") ? base.pathname : `${base.pathname}/`;
  // A server that decodes before it resolves ".." could leave the prefix through an encoded slash.
  const within =
    next.origin === base.origin &&
    next.pathname.startsWith(prefix) &&
    !/%(2f|5c|25)/i.test(next.pathname);
  return within && next.username === "" && next.password === "" ? next.href : undefined;
}

async function readResponse(response: Response, maxBytes: number): Promise<RawResponse> {
  const { status, headers } = response;
  const limit = response.ok ? maxBytes : Math.min(maxBytes, MAX_ERROR_BYTES);
  // The limit applies after decompression: a small compressed body can expand to gigabytes.
  const body = await readBytes(response.body, limit);
  if (body === undefined) return { status, headers, body: "", bytes: limit, tooLarge: true };
  return { status, headers, ...readText(body), bytes: body.byteLength, tooLarge: false };
}

function readText(bytes: Uint8Array): Pick<RawResponse, "body" | "isUtf8"> {
  try {
    return { body: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { body: new TextDecoder().decode(bytes), isUtf8: false };
  }
}
