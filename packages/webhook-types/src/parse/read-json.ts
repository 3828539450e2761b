import { JsonSyntaxError, parseJson } from "@fieldmesh/core";
import { EventParseError } from "./event-parse-error.js";

// Fatal: a replaced character would be a change that nobody sees.
const utf8 = new TextDecoder("utf-8", { fatal: true });

const BYTE_ORDER_MARK = 0xfeff;

/** Gives the value that a body spells; a value that is already parsed comes back as it is. */
export function readJson(body: unknown): unknown {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return body;
  try {
    const text = typeof body === "string" ? body : utf8.decode(body);
    return parseJson(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  } catch (error) {
    const message = error instanceof JsonSyntaxError ? `not JSON, ${error.message}` : "not UTF-8";
    throw new EventParseError(undefined, [{ path: "", message }]);
  }
}
