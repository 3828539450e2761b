import { LONGEST_WAIT } from "./send-request.ts";

/** Headers that belong to one connection, or that depend on the body. */
const NOT_FORWARDED = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const NO_RESPONSE = 502;
const TOO_SLOW = 504;

/** Forwards a delivery byte for byte, with its headers, and returns the status of the receiver. Without a response, returns 502 or 504. */
export async function forward(request: Request, body: Uint8Array, to: URL): Promise<number> {
  const headers = [...request.headers].filter(([name]) => !NOT_FORWARDED.has(name));
  const timeout = AbortSignal.timeout(LONGEST_WAIT);
  try {
    const response = await fetch(to, {
      method: "POST",
      headers,
      body: new Uint8Array(body),
      // The target of a redirect is not the receiver.
      redirect: "manual",
      signal: timeout,
    });
    // An unread body would keep the connection open.
    await response.body?.cancel();
    return response.status;
  } catch {
    return timeout.aborted ? TOO_SLOW : NO_RESPONSE;
  }
}
