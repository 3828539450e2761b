import type { HoldsSecret } from "@fieldmesh/core/schema";
import type { ShowText } from "../errors/show-text.ts";
import { guardInput } from "@fieldmesh/core";
import type { Attempt } from "../errors/call-error.ts";

const CALL = Symbol.for("@fieldmesh/call");

/** The response of a call, beside the output of the method. */
export interface CallResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The id under which the server logged the request, or `undefined` where it sends none. */
  readonly requestId: string | undefined;
  /** What the envelope holds beside `data`, as it came; `undefined` where there is nothing or no envelope. */
  readonly meta: unknown;
  /** Every request of the call, the successful one last. */
  readonly attempts: readonly Attempt[];
}

/** The output of a method, and the response that it came with. */
export interface WithResponse<Output> extends CallResponse {
  readonly output: Output;
}

/**
 * Returns status, headers, request id and attempts of a call beside its output.
 *
 * Pass the promise of the method itself: one that `then` or your own `async` function made of it
 * has lost the response, and a TypeError says so.
 *
 * @example
 * ```ts
 * const { output, status, requestId } = await withResponse(client.labels.list());
 * ```
 */
export async function withResponse<Output>(call: Promise<Output>): Promise<WithResponse<Output>> {
  const result = guardInput(
    "What withResponse got",
    call,
    () => (call as { [CALL]?: Promise<CallResult> } | undefined | null)?.[CALL],
  );
  if (result === undefined) {
    throw new TypeError(
      "withResponse takes the promise that a client's method returned, such as withResponse(client.labels.list()).",
    );
  }
  // It rejects as the whole result does, and nothing else awaits it.
  call.catch(() => undefined);
  const { output, response } = await result;
  return { output: output as Output, ...response };
}

/** What a call comes to inside this package. */
export interface CallResult {
  readonly output: unknown;
  readonly response: CallResponse;
  /** The filter for texts of the service, such as those in the output. */
  readonly show: ShowText;
}

/** Returns the filter for texts of the service in the output of a call: it hides those that may hold a secret of the call. */
export async function showTextOf(call: Promise<unknown>): Promise<ShowText> {
  const { show } = await (call as unknown as { [CALL]: Promise<CallResult> })[CALL];
  return show;
}

/** The promise that a method returns: its output, with the way back to the whole result. */
export function outputOf(result: Promise<CallResult>): Promise<unknown> {
  const output = result.then((each) => each.output);
  // Not enumerable, so that no printer shows it.
  void Object.defineProperty(output, CALL, { value: result });
  return output;
}

/** The id under which the server logged a request, under the names that are in use. `undefined` for one that holds a secret. */
export function requestIdOf(headers: Headers, holdsSecret: HoldsSecret): string | undefined {
  const id = headers.get("x-request-id") ?? headers.get("request-id") ?? "";
  return /^[\x21-\x7e]{1,200}$/.test(id) && !holdsSecret(id) ? id : undefined;
}
