/**
 * A request's headers in any common form: `Headers`, Node's `request.headers`, a plain object with names in any case,
 * or a list of pairs.
 */
export type HeadersLike =
  | { get(name: string): string | null | undefined }
  | Iterable<readonly [name: string, value: string]>
  | { readonly [name: string]: string | readonly string[] | undefined };

/** Finds a header by its lower-case name. One that came several times is joined by commas, as HTTP has it. */
export function readHeader(headers: HeadersLike, name: string): string | undefined {
  if (isObject(headers) && !isPairs(headers)) {
    if (typeof headers.get === "function") return asText(headers.get(name));
    if (Object.hasOwn(headers, name)) return asText(headers[name]);
  }
  const pairs = isPairs(headers) ? [...headers] : Object.entries(headers);
  const values = pairs.filter(([key]) => String(key).toLowerCase() === name);
  return asText(values.flatMap(([, value]) => value ?? []));
}

function asText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length > 0 ? value.join(",") : undefined;
  return typeof value === "string" ? value : undefined;
}

function isObject(headers: HeadersLike): headers is Record<string, unknown> & HeadersLike {
  return typeof headers === "object" && headers !== null;
}

/** Headers are iterable too, but their own `get` is quicker. */
function isPairs(headers: HeadersLike): headers is Iterable<readonly [string, string]> {
  return Symbol.iterator in headers && !("append" in headers);
}
