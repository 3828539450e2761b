// Why it is so: docs/decisions/16-the-response-beside-the-output.md
import type { HoldsSecret } from "@fieldmesh/core/internal/schema";
import { createShowText, type ShowText } from "../errors/show-text.ts";
import { Secret, mistake, readInput } from "@fieldmesh/core/internal";
import { redactHeaders } from "../wire/headers.ts";
import type { Attempt } from "../errors/call-error.ts";

const CALL = Symbol.for("@fieldmesh/call");

/** The output of a method and its response. */
export interface WithResponse<Output> {
  readonly output: Output;
  readonly status: number;
  /** The headers of the response. Headers with a credential show `[redacted]`. */
  readonly headers: Headers;
  /** The id under which the server logged the request, or `undefined` if it sends none. */
  readonly requestId: string | undefined;
  /** The body as text, before it was read. A Secret, because it may contain keys: printing it shows nothing. */
  readonly body: Secret;
  /** The part of the envelope besides `data`, as the service sent it. `undefined` if there is none. */
  readonly meta: unknown;
  /** Every request of the call. The successful one is the last. */
  readonly attempts: readonly Attempt[];
}

/**
 * Returns the status, headers, request id and attempts of a call with its output.
 *
 * Pass the promise of the method itself. A promise from `then` or from your own `async` function has lost the response, and a
 * TypeError says so.
 *
 * @example
 * ```ts
 * const { output, status, requestId } = await withResponse(client.labels.list());
 * ```
 */
export async function withResponse<Output>(call: Promise<Output>): Promise<WithResponse<Output>> {
  const result = readInput(
    "The argument of withResponse",
    () => (call as { [CALL]?: Promise<CallResult> } | undefined | null)?.[CALL],
  );
  if (result === undefined) {
    throw mistake(
      "withResponse requires the promise that a client's method returned, such as withResponse(client.labels.list()).",
    );
  }
  // The promise rejects together with the whole result, and nothing else awaits it.
  call.catch(() => undefined);
  const { output, holdsSecret, body, ...response } = await result;
  const requestId = requestIdOf(response.headers, holdsSecret);
  const headers = new Headers(redactHeaders(response.headers, holdsSecret));
  return { output: output as Output, ...response, headers, body: new Secret(body), requestId };
}

/** The result of a call within this package. What only some callers read is made from it when they do. */
export interface CallResult extends Omit<WithResponse<unknown>, "requestId" | "body"> {
  readonly body: string;
  readonly holdsSecret: HoldsSecret;
}

/** Returns the whole result of a call, from the promise that its method returned. */
export function resultOf(call: Promise<unknown>): Promise<CallResult> {
  return (call as unknown as { [CALL]: Promise<CallResult> })[CALL];
}

/** Returns the filter for strings in the output of a call. It hides strings that may contain a secret of the call. */
export async function showTextOf(call: Promise<unknown>): Promise<ShowText> {
  const { holdsSecret } = await resultOf(call);
  return createShowText(holdsSecret);
}

/** Creates the promise that a method returns: its output, linked to the whole result. */
export function outputOf(result: Promise<CallResult>): Promise<unknown> {
  const output = result.then((each) => each.output);
  // Not enumerable, so no printer shows it.
  void Object.defineProperty(output, CALL, { value: result });
  return output;
}

/** Returns the id under which the server logged a request; `undefined` for an id that contains a secret. */
export function requestIdOf(headers: Headers, holdsSecret: HoldsSecret): string | undefined {
  const id = headers.get("x-request-id") ?? headers.get("request-id") ?? "";
  return /^[\x21-\x7e]{1,200}$/.test(id) && !holdsSecret(id) ? id : undefined;
}
