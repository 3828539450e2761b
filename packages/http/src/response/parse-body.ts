import { JsonSyntaxError, parseJson } from "@fieldmesh/core";
import type { Endpoint } from "../table/row.ts";
import type { RawResponse } from "../send/fetch-attempt.ts";
import type { NetworkFailure } from "../send/network-failure.ts";
import { kindOf } from "../table/result.ts";

/** Marks JSON that breaks off: without a Content-Length, nothing else shows that the connection was cut. */
export const TRUNCATED = Symbol("truncated");

/** The failure of an attempt whose response breaks off. */
export const BROKEN_OFF: NetworkFailure = {
  code: "TRUNCATED",
  outcome: "unknown",
  happened: "the response broke off in the middle",
  final: false,
};

/**
 * Reads a body as JSON. A body that is not JSON is returned as a string: the schema of the endpoint decides which of
 * the two it accepts, because the content-type is missing where it matters.
 */
export function parseBody(row: Endpoint, { body, tooLarge }: RawResponse): unknown {
  if (tooLarge || body === "") return undefined;
  if (kindOf(row.result) === "text") return body;
  try {
    return parseJson(body);
  } catch (error) {
    const broken = error instanceof JsonSyntaxError && error.truncated && /^\s*[[{]/.test(body);
    return broken ? TRUNCATED : body;
  }
}
