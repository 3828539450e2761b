import { readBytes } from "@fieldmesh/core/internal";
import { LONGEST_BODY } from "../../engine/webhooks/delivery.ts";
import { CommandError } from "../command-error.ts";
import type { Secret } from "@fieldmesh/core";
import { signedRequest } from "@fieldmesh/webhook-types";

/** After this time, the sender of an event retries. In milliseconds. */
export const LONGEST_WAIT = 30_000;

/** How a request is sent. */
export interface Sending {
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly within?: number;
  /** The longest response that is read. Of a longer one, nothing is. */
  readonly mostBytes: number;
  /** The end of the error if nothing responds at the address. */
  readonly unless: string;
}

/** Sends a request to a program, and reads its response. Throws a CommandError if none arrives, or the reason of the signal. */
export async function sendRequest(
  request: Request,
  { signal, within = LONGEST_WAIT, mostBytes, unless }: Sending,
): Promise<{ readonly response: Response; readonly text: string }> {
  const timeout = AbortSignal.timeout(within);
  try {
    const response = await fetch(request, {
      // The body may contain a code, so it must not reach another server.
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    const text = new TextDecoder().decode(await readBytes(response.body, mostBytes));
    return { response, text };
  } catch (error) {
    if (signal.aborted) throw error;
    const { origin } = new URL(request.url);
    throw new CommandError(
      timeout.aborted
        ? `No response from ${origin} within ${within / 1_000} s.`
        : `Nothing responds at ${origin}${unless}`,
    );
  }
}

/** The longest part of a response that is read. */
const MOST_BYTES = 2 ** 16;
/** The outcomes of our receivers, such as `not_verified`. Other response bodies are not printed. */
const OUTCOME = /^[a-z_]{1,30}$/;

/** The response of a receiver to an event. */
interface Posted {
  readonly status: number;
  /** Such as `handled`. Empty if the receiver is not one of ours. */
  readonly outcome: string;
  readonly isAccepted: boolean;
}

/** Returns a response as `--json` prints it. */
export function postRecord({ status, outcome, isAccepted }: Posted): object {
  return { status, outcome: outcome === "" ? null : outcome, accepted: isAccepted };
}

/** The address that an event is sent to, and the secret that signs it. */
interface Target extends Pick<Sending, "signal" | "within"> {
  readonly url: URL;
  readonly secret: Secret;
}

/** Signs an event and posts it. Throws a CommandError if no response arrives, or the reason of the signal. */
export async function post(event: object, { url, secret, ...limits }: Target): Promise<Posted> {
  const { response, text } = await sendRequest(await signedRequest(event, { url, secret }), {
    ...limits,
    mostBytes: MOST_BYTES,
    unless: ". Is the receiver running?",
  });
  const outcome = OUTCOME.exec(text)?.[0] ?? "";
  return { status: response.status, outcome, isAccepted: response.ok };
}

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
/** Milliseconds for a body, which must not delay the status of the receiver for long. */
const LONGEST_READ = 1_000;

/**
 * Forwards a delivery byte for byte, with its headers, and returns the status of the receiver, with the body that the sandbox would
 * keep, and its type. Without a response, returns 502 or 504.
 */
export async function forward(request: Request, body: Uint8Array, to: URL): Promise<Response> {
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
    const { status } = response;
    const late = AbortSignal.timeout(LONGEST_READ);
    const read = await readBytes(response.body, LONGEST_BODY, late).catch(() => undefined);
    // Of a late one, nothing is. A status such as 204 has none.
    if (read === undefined || read.length === 0 || late.aborted)
      return new Response(null, { status });
    const type = response.headers.get("content-type");
    return new Response(new Uint8Array(read), {
      status,
      headers: { ...(type !== null && { "content-type": type }) },
    });
  } catch {
    return new Response(null, { status: timeout.aborted ? TOO_SLOW : NO_RESPONSE });
  }
}
