import { hasMethod, mistake } from "@fieldmesh/core/internal";

/**
 * The headers of a request: `Headers`, Node's `request.headers`, a Map, or a plain object or list of pairs. Where a runtime does
 * not ignore the letter case of names, any case is found.
 */
export type HeadersLike =
  | { get(name: string): string | readonly string[] | null | undefined }
  | { readonly [name: string]: string | readonly string[] | undefined }
  | readonly (readonly [name: string, value: string | readonly string[] | null | undefined])[];

/** Finds a header by its lower-case name. Several values are joined by commas, as in HTTP. */
export function readHeader(headers: HeadersLike, name: string): string | undefined {
  if (!headers) throw mistake("Pass the headers of the request.");
  const values = [find(headers as never, name)].flat();
  const texts = values.filter((each) => typeof each === "string");
  return texts.length > 0 ? texts.join() : undefined;
}

type Found = Record<string, unknown> & { get(name: string): unknown } & Iterable<unknown[]>;

function find(headers: Found, name: string): unknown {
  // The names of Node are already in lower case.
  const value = headers[name] ?? (hasMethod(headers, "get") ? headers.get(name) : undefined);
  if (value != null) return value;
  const entries = Symbol.iterator in headers ? headers : Object.entries(headers);
  return [...entries]
    .filter(([key]) => String(key).toLowerCase() === name)
    .flatMap(([, each]) => each);
}

/** Splits a value at its commas. In HTTP, blanks around them carry no meaning, and proxies join and rewrite lists. */
export function listItems(value: string): string[] {
  return value.split(",").map((item) => item.trim());
}

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
