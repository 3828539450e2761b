import { JsonSyntaxError, parseJson } from "@fieldmesh/core";
import { EventParseError } from "./event-parse-error.js";

// Fatal: a replaced character would be a change that nobody sees. It drops a byte order mark, as readers should.
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Gives the value that a body spells; a value that is already parsed comes back as it is. */
export function readJson(body: unknown): unknown {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return body;
  try {
    return parseJson(typeof body === "string" ? body.replace(/^\uFEFF/, "") : utf8.decode(body));
  } catch (error) {
    const message = error instanceof JsonSyntaxError ? `not JSON, ${error.message}` : "not UTF-8";
    throw new EventParseError(undefined, [{ path: "", message }]);
  }
}
