import { stringifyJson } from "@fieldmesh/core";

const BASE = 36;

/** A short hash of a text (cyrb53): two texts of the same list do not share it by chance, and nothing can be read from it. */
export function fingerprint(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (2 ** 32 * (b & 0x1fffff) + (a >>> 0)).toString(BASE);
}

/** A hash of what names an item: its key fields, or all of it where it has none, as with a schema of the caller's. */
export function keyOf(item: unknown, fields: readonly string[] | undefined): string {
  const record = typeof item === "object" && item !== null ? (item as Record<string, unknown>) : {};
  const values = fields?.map((field) => record[field]) ?? [];
  const named = values.some((value) => value != null);
  return fingerprint(stringifyJson(named ? values : (item ?? null)));
}
