import { mistake } from "@fieldmesh/core/internal";

/** The headers of a request: `Headers`, Node's `request.headers`, or a plain object with names in any letter case. */
export type HeadersLike =
  | { get(name: string): string | null | undefined }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** Finds a header by its lower-case name. Several values are joined by commas, as in HTTP. */
export function readHeader(headers: HeadersLike, name: string): string | undefined {
  if (!headers) throw mistake("Pass the headers of the request.");
  const value = find(headers as Record<string, unknown>, name);
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.join() : undefined;
}

function find(headers: Record<string, unknown>, name: string): unknown {
  // The names of Node are already in lower case.
  return (
    headers[name] ??
    (typeof headers["get"] === "function"
      ? headers["get"](name)
      : headers[Object.keys(headers).find((key) => key.toLowerCase() === name) ?? name])
  );
}
