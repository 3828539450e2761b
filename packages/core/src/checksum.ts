import { hashText } from "./hash.ts";
import { isRecord } from "./record.ts";

const BASE = 36;

/**
 * Adds a checksum over all other fields, which {@link isIntact} compares. It detects damage: a changed digit, and a missing or an
 * added field. It does not depend on the order of keys or on spaces, because a database may change both. It is not a signature:
 * a program that forges the value can compute it.
 */
export function withChecksum<T extends object>(value: T): T & { readonly checksum: string } {
  return { ...value, checksum: checksumOf(value) };
}

/** Tells whether a JSON value still has the fields that {@link withChecksum} saw. */
export function isIntact({ checksum, ...value }: { readonly checksum: string }): boolean {
  return checksum === checksumOf(value);
}

/** Hashes a value as JSON with sorted keys. */
function checksumOf(value: object): string {
  const sort = (_key: string, each: unknown): unknown =>
    isRecord(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each;
  return hashText(JSON.stringify(value, sort)).toString(BASE);
}
