import { JsonSyntaxError, parseJson } from "@fieldmesh/core";
import type { Endpoint } from "../table/row.ts";
import type { RawResponse } from "../wire/read-body.ts";
import type { NetworkFailure } from "../wire/network-failure.ts";
import { kindOf } from "../table/result.ts";

/** Marks JSON that is cut off. Without a Content-Length, nothing else shows that the connection broke. */
export const TRUNCATED = Symbol("truncated");

/** The failure of an attempt whose response is incomplete. */
export const BROKEN_OFF: NetworkFailure = {
  code: "TRUNCATED",
  outcome: "unknown",
  happened: "the response broke off in the middle",
  final: false,
};

/** Parses a body as JSON, or returns it as a string, because some services send no content type. */
export function parseBody(row: Endpoint, { body }: RawResponse): unknown {
  if (body === "") return undefined;
  if (kindOf(row.result) === "text") return body;
  try {
    return parseJson(body);
  } catch (error) {
    const broken = error instanceof JsonSyntaxError && error.truncated && /^\s*[[{]/.test(body);
    return broken ? TRUNCATED : body;
  }
}
