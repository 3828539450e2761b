import { mistake } from "@fieldmesh/core/internal";

type HeaderValue = string | readonly string[] | null | undefined;

/**
 * The headers of a request: `Headers`, Node's `request.headers`, a Map, or a plain object or list of pairs. Where a runtime does
 * not ignore the letter case of names, any case is found.
 */
export type HeadersLike =
  | { get(name: string): HeaderValue }
  | { readonly [name: string]: string | readonly string[] | undefined }
  | readonly (readonly [name: string, value: HeaderValue])[];

/** Finds a header by its lower-case name. Several values are joined by commas, as in HTTP. */
export function readHeader(headers: HeadersLike, name: string): string | undefined {
  if (!headers) throw mistake("Pass the headers of the request.");
  const value = find(headers as Record<string, unknown>, name);
  if (typeof value === "string") return value;
  const values = [value].flat().filter((each) => typeof each === "string");
  return values.length > 0 ? values.join() : undefined;
}

function find(headers: Record<string, unknown>, name: string): unknown {
  const isIterable = Symbol.iterator in Object(headers);
  const get = headers["get"];
  // The names of Node are already in lower case.
  const value = headers[name] ?? (typeof get === "function" ? get.call(headers, name) : undefined);
  if (value != null || (typeof get === "function" && !isIterable)) return value;
  const entries = isIterable
    ? (headers as unknown as Iterable<unknown[]>)
    : Object.entries(headers);
  return [...entries]
    .filter(([key]) => String(key).toLowerCase() === name)
    .flatMap(([, each]) => each);
}

/** Splits a value at its commas. In HTTP, blanks around them carry no meaning, and proxies join and rewrite lists. */
export function listItems(value: string): string[] {
  return value.split(",").map((item) => {
    let [start, end] = [0, item.length];
    // A loop, because a pattern for the end would take quadratic time.
    while (isBlank(item[start])) start++;
    while (end > start && isBlank(item[end - 1])) end--;
    return item.slice(start, end);
  });
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
