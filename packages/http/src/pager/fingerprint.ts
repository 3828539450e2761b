import { hashText, stringifyJson } from "@fieldmesh/core";

const BASE = 36;

/** A short hash of a string: two of the same list do not share it by chance, and nothing can be read from it. */
export function fingerprint(text: string): string {
  return hashText(text).toString(BASE);
}

/** A hash of what names an item: its key fields, or all of it where it has none, as with a schema of the caller's. */
export function keyOf(item: unknown, fields: readonly string[] | undefined): string {
  const record = typeof item === "object" && item !== null ? (item as Record<string, unknown>) : {};
  const values = fields?.map((field) => record[field]) ?? [];
  const named = values.some((value) => value != null);
  return fingerprint(stringifyJson(named ? values : (item ?? null)));
}
