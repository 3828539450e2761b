/** A request's headers: `Headers`, Node's `request.headers`, or a plain object with names in any case. */
export type HeadersLike =
  | { get(name: string): string | null | undefined }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** Finds a header by its lower-case name. One that came several times is joined by commas, as HTTP has it. */
export function readHeader(headers: HeadersLike, name: string): string | undefined {
  const value = find(headers as Record<string, unknown>, name);
  const text: unknown = Array.isArray(value) ? value.join() : value;
  return typeof text === "string" ? text : undefined;
}

function find(headers: Record<string, unknown>, name: string): unknown {
  if (typeof headers["get"] === "function") return headers["get"](name);
  return (
    headers[name] ?? headers[Object.keys(headers).find((key) => key.toLowerCase() === name) ?? name]
  );
}
