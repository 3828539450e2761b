import { fingerprint, stringifyJson } from "@fieldmesh/core/internal";

/** Returns a hash of the fields that identify an item, or of the whole item if it has none, as with a user's schema. */
export function keyOf(item: unknown, fields?: readonly string[]): string {
  const record = typeof item === "object" && item !== null ? (item as Record<string, unknown>) : {};
  const values = fields?.map((field) => record[field]) ?? [];
  const named = values.some((value) => value != null);
  return fingerprint(stringifyJson(named ? values : (item ?? null)));
}
