import { stringifyJson } from "@fieldmesh/core";
import type { Layer } from "./call.ts";

/** What a response has besides its body. */
export interface ResponseOptions {
  readonly status?: number | undefined;
  /** `undefined` sends none, as the services do with strings and some errors. */
  readonly contentType?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const JSON_TYPE = "application/json; charset=utf-8";

/** A JSON response that rounds no integer; with `contentType: undefined` it has none. */
export function jsonResponse(value: unknown, init: ResponseOptions = {}): Response {
  return bytesResponse(stringifyJson(value), { contentType: JSON_TYPE, ...init });
}

/** A response with a string, which has no content-type unless you pass one. */
export function textResponse(text: string, init: ResponseOptions = {}): Response {
  return bytesResponse(text, init);
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

/** Returns the body that a response was made of, without reading it. `undefined` for one that was made in another way. */
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

function bytesResponse(
  text: string,
  { status = 200, contentType, headers = {} }: ResponseOptions,
): Response {
  const type = contentType === undefined ? {} : { "content-type": contentType };
  // A Response made of a string would set a content-type of its own.
  const bytes = text === "" ? null : new TextEncoder().encode(text);
  const response = new Response(bytes, { status, headers: { ...type, ...headers } });
  bodies.set(response, text);
  return response;
}
