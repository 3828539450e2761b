/** A request's body as it came: bytes, or the text that they spell in UTF-8. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Gives what is hashed; throws a TypeError for anything that is not raw. */
export function readBody(body: unknown): string | Uint8Array {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  // By what they are, not by their class: a test runner's Buffer may be of another realm.
  if (ArrayBuffer.isView(body))
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === "[object ArrayBuffer]")
    return new Uint8Array(body as ArrayBuffer);
  throw new TypeError("A signature covers exact bytes: pass the raw body, as text or bytes.");
}
