/** A request's body as it came: bytes, or the string that they encode in UTF-8. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Returns what is hashed; throws a TypeError for anything that is not raw. */
export function readBody(body: unknown): string | Uint8Array {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  // By its tag, for values of another realm, such as a test runner's Buffer.
  if (/ Uint8Array| ArrayBuffer/.test(Object.prototype.toString.call(body)))
    return new Uint8Array(body as ArrayBuffer);
  throw new TypeError("Pass the raw body, as text or bytes; of a Request, await request.text().");
}

/** Whether it is bytes, also those of another realm, such as a test runner's Buffer. */
export function isBytes(value: unknown): value is Uint8Array {
  return (
    value instanceof Uint8Array || Object.prototype.toString.call(value) === "[object Uint8Array]"
  );
}
