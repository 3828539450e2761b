import type { Endpoint } from "@fieldmesh/http/internal";
import type { Call } from "./call.ts";
import type { Misfit } from "./read-input.ts";
import { jsonResponse, textResponse } from "./responses.ts";
import type { Match, Row } from "./router.ts";

/** The handler of any row, without its type. */
export type AnyHandler =
  | ((input: Call["input"], call: Call) => unknown)
  | { readonly unchecked: (input: Call["input"], call: Call) => unknown };

/** Runs the handler of a row, unless its input does not fit. A handler that throws is a 500, and the call has the error. */
export async function respond(
  handler: AnyHandler | undefined,
  { endpoint }: Match,
  call: Call,
  {
    misfits: find,
    reject,
  }: {
    readonly misfits: () => Misfit[];
    readonly reject: (misfits: readonly Misfit[], call: Call) => Response;
  },
): Promise<Response> {
  try {
    const unchecked = typeof handler === "object";
    const misfits = unchecked ? [] : find();
    if (misfits.length > 0) return reject(misfits, call);
    const run = unchecked ? handler.unchecked : (handler ?? (() => sampleOf(endpoint)));
    const response = toResponse(endpoint, await run(call.input, call));
    call.done = response.ok;
    return response;
  } catch (error) {
    call.error = error;
    return textResponse("Internal Server Error", { status: 500 });
  }
}

function sampleOf({ sample, route }: Row): unknown {
  return sample
    ? sample.output
    : textResponse(`This server has no handler and no sample for ${route}`, { status: 501 });
}

/** A page, and a record under `data`, are written unchanged, because handlers return them in their envelope. */
function toResponse({ status, result }: Endpoint, output: unknown): Response {
  if (output instanceof Response) return output;
  if (output === undefined) return textResponse("", { status });
  return "kind" in result && result.kind === "text"
    ? textResponse(output as string, { status })
    : jsonResponse(output, { status });
}
