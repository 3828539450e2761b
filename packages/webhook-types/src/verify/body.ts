import { mistake } from "@fieldmesh/core/internal";

/** The unchanged body of a request: bytes, or the string that they encode in UTF-8. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Returns the part that is hashed. Throws a TypeError for anything that is not raw. */
export function readBody(body: unknown): string | Uint8Array {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  // By its tag, for values of another realm, such as the Buffer of a test runner.
  if (/ Uint8Array| ArrayBuffer/.test(Object.prototype.toString.call(body)))
    return new Uint8Array(body as ArrayBuffer);
  throw mistake("Pass the raw body as a string or bytes. For a Request, use await request.text().");
}

/** Tells whether a value is bytes, also from another realm, such as the Buffer of a test runner. */
export function isBytes(value: unknown): value is Uint8Array {
  return (
    value instanceof Uint8Array || Object.prototype.toString.call(value) === "[object Uint8Array]"
  );
}

/** Tells whether a body begins as one of gzip does, also as text, where its second byte was replaced. */
export function isGzip(body: string | Uint8Array): boolean {
  const [first, second] = [0, 1].map((at) =>
    typeof body === "string" ? body.charCodeAt(at) : body[at],
  );
  return first === 0x1f && (second === 0x8b || second === 0xfffd);
}
