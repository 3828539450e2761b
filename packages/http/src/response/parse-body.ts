import { JsonSyntaxError, parseJson } from "@fieldmesh/core";
import type { Endpoint } from "../table/row.ts";
import type { Answer } from "../send/fetch-attempt.ts";
import type { NetworkFailure } from "../send/network-failure.ts";
import { kindOf } from "../table/result.ts";

/** Stands for JSON that breaks off: without a Content-Length nothing else tells that the connection was cut. */
export const TRUNCATED = Symbol("truncated");

/** What such an answer is for the call. */
export const BROKEN_OFF: NetworkFailure = {
  code: "TRUNCATED",
  outcome: "unknown",
  happened: "the answer broke off in the middle",
  final: false,
};

/**
 * Reads a body as JSON. Text that is not JSON is handed on as text: which of the two an endpoint answers is for its
 * schema to say, because the content-type is missing where it matters.
 */
export function parseBody(row: Endpoint, { body, tooLarge }: Answer): unknown {
  if (tooLarge || body === "") return undefined;
  if (kindOf(row.result) === "text") return body;
  try {
    return parseJson(body);
  } catch (error) {
    const broken = error instanceof JsonSyntaxError && error.truncated && /^\s*[[{]/.test(body);
    return broken ? TRUNCATED : body;
  }
}
