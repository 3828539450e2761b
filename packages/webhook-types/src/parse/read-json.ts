import { JsonSyntaxError, parseJson, stringifyJson } from "@fieldmesh/core";
import { isBytes } from "../verify/body.ts";
import { EventParseError } from "./event-parse-error.ts";

// Fatal: a replaced character would be a change that nobody sees.
const utf8 = new TextDecoder("utf-8", { fatal: true });

const BYTE_ORDER_MARK = 0xfeff;

/** Gives the value that a body spells, and a copy of one that is already parsed: that is the caller's. */
export function readJson(body: unknown): unknown {
  const text = typeof body === "string" ? body : isBytes(body) ? decode(body) : undefined;
  if (text === undefined) return copyOf(body);
  try {
    return parseJson(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw problem(`not JSON, ${error.message}`);
    throw error;
  }
}

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw problem("not UTF-8");
  }
}

/** As it would come from the wire: an event that was parsed before has Secrets. */
function copyOf(value: unknown): unknown {
  try {
    return parseJson(stringifyJson(value, { reveal: true }));
  } catch {
    throw problem("expected JSON");
  }
}

function problem(message: string): EventParseError {
  return new EventParseError(undefined, [{ path: "", message }]);
}
