import { type JsonSyntaxError, parseJson, stringifyJson } from "@fieldmesh/core";
import { isTooDeep, TOO_DEEP } from "@fieldmesh/core/internal";
import { isBytes } from "../verify/message.ts";
import { EventParseError } from "./event-parse-error.ts";

// Made when it is needed: Jest with jsdom has none, and imports this file.
let utf8: { decode(body: Uint8Array): string } | undefined;

const BYTE_ORDER_MARK = 0xfeff;

/** Returns the parsed body, or a copy of a parsed value. Never changes the value of the caller. */
export function readJson(body: unknown): unknown {
  const json = typeof body === "string" ? body : isBytes(body) ? decode(body) : undefined;
  const value = json === undefined ? copyOf(body) : parse(json);
  if (isTooDeep(value, json?.length)) throw problem(TOO_DEEP);
  return value;
}

function parse(json: string): unknown {
  try {
    return parseJson(json.charCodeAt(0) === BYTE_ORDER_MARK ? json.slice(1) : json);
  } catch (error) {
    throw problem(`not JSON, ${(error as JsonSyntaxError).message}`);
  }
}

function decode(body: Uint8Array): string {
  try {
    // Fatal: replacing a character would silently change the body.
    utf8 ??= new TextDecoder("utf-8", { fatal: true });
    return utf8.decode(body);
  } catch {
    throw problem("not UTF-8");
  }
}

/** Copies a value to its wire format, because a parsed event contains Secrets. */
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
