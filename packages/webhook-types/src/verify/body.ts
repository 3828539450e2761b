/** A request's body as it came: bytes, or the text that they spell in UTF-8. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Gives what is hashed; throws a TypeError for anything that is not raw. */
export function readBody(body: unknown): string | Uint8Array {
  if (typeof body === "string") return body;
  // By its tag, not its class: a test runner's Buffer may be of another realm.
  const tag = Object.prototype.toString.call(body);
  if (tag === "[object Uint8Array]") return body as Uint8Array;
  if (tag === "[object ArrayBuffer]") return new Uint8Array(body as ArrayBuffer);
  throw new TypeError("Pass the raw body, as text or bytes.");
}
