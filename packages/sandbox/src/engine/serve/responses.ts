import { stringifyJson } from "@fieldmesh/core";
import type { Layer, Call } from "./call.ts";
import type { Endpoint } from "@fieldmesh/http/internal";
import type { Misfit } from "./read-input.ts";
import type { Match, Row } from "./router.ts";

export interface ResponseOptions {
  readonly status?: number | undefined;
  /** `undefined` sends none, as the services do with strings and some errors. */
  readonly contentType?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const JSON_TYPE = "application/json; charset=utf-8";

/** A JSON response that rounds no integer; with `contentType: undefined` it has none. A long list is written while it is sent. */
export function jsonResponse(value: unknown, init: ResponseOptions = {}): Response {
  const own = { contentType: JSON_TYPE, ...init };
  if (Array.isArray(value) && value.length > LONG_LIST) return listResponse(value, own);
  return textResponse(stringifyJson(value), own);
}

/** A list of more records is not made into one string, which could be too long for the runtime. */
const LONG_LIST = 10_000;
const RECORDS_AT_ONCE = 100;

function listResponse(list: readonly unknown[], init: ResponseOptions): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const part = list.slice(at, at + RECORDS_AT_ONCE).map((each) => stringifyJson(each));
        const text = `${at === 0 ? "[" : ","}${part.join(",")}`;
        at += RECORDS_AT_ONCE;
        const isLast = at >= list.length;
        controller.enqueue(new TextEncoder().encode(isLast ? `${text}]` : text));
        if (isLast) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, responseInit(init));
}

/** A response with a string, which has no content-type unless you pass one. */
export function textResponse(text: string, init: ResponseOptions = {}): Response {
  // A Response made of a string would set a content-type of its own.
  const bytes = text === "" ? null : new TextEncoder().encode(text);
  const response = new Response(bytes, responseInit(init));
  bodies.set(response, text);
  return response;
}

/** The layer that adds a content-type to a body that has none. */
export function addTextType(contentType: string): Layer {
  return (next) => async (call) => {
    const response = await next(call);
    if (response.body !== null && !response.headers.has("content-type"))
      response.headers.set("content-type", contentType);
    return response;
  };
}

const bodies = new WeakMap<Response, string>();

/** Returns the body that a response was made of, without reading it. `undefined` for a long list, and for one that was made in another way. */
export function bodyOf(response: Response): string | undefined {
  return response.body === null ? "" : bodies.get(response);
}

/** Copies a response that will be sent more than once. */
export function copyResponse(response: Response): Response {
  const body = bodies.get(response);
  const copy = response.clone();
  if (body !== undefined) bodies.set(copy, body);
  return copy;
}

function responseInit({ status = 200, contentType, headers = {} }: ResponseOptions): ResponseInit {
  const type = contentType === undefined ? {} : { "content-type": contentType };
  return { status, headers: { ...type, ...headers } };
}

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
