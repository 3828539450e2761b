/** A request's body as it came: bytes, or the text that they spell in UTF-8. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Gives what is hashed; throws a TypeError for anything that is not raw. */
export function readBody(body: unknown): string | Uint8Array {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  // By its tag what is of another realm, as a test runner's Buffer; asking for it costs twenty times more than the class.
  if (/ Uint8Array| ArrayBuffer/.test(Object.prototype.toString.call(body)))
    return new Uint8Array(body as ArrayBuffer);
  throw new TypeError("Pass the raw body, as text or bytes.");
}

/** For whoever takes more than raw bodies; `readBody` does not call it, since a verifier has 1.5 KB for all. */
export function isBytes(value: unknown): value is Uint8Array {
  return (
    value instanceof Uint8Array || Object.prototype.toString.call(value) === "[object Uint8Array]"
  );
}
