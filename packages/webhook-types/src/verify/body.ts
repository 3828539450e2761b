/** A request's body as it came: bytes, or the text that they spell in UTF-8. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Gives the body that is hashed; throws a TypeError for anything that is not raw. */
export function readBody(body: unknown): string | Uint8Array {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  if (isArrayBuffer(body)) return new Uint8Array(body);
  throw new TypeError(
    "A signature covers the exact bytes of a body: pass the raw body (a string, Uint8Array or ArrayBuffer), " +
      `not ${body === null ? "null" : `a parsed ${typeof body}`}.`,
  );
}

/** By its tag, because test runners and workers bring an ArrayBuffer of another realm. */
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === "[object ArrayBuffer]";
}
