import { isRecord } from "./record.ts";

/**
 * Hashes a string to 53 bits with cyrb53. Use it for equality, look-up and random sequences, never for security.
 *
 * With a secret seed, a leaked hash cannot be looked up.
 */
export function hashText(text: string, seed = 0): number {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return 2 ** 32 * (low & 0x1fffff) + (high >>> 0);
}

const BASE = 36;

/** Returns a short hash of a string. Two strings of a list practically never share one, and it reveals nothing of the string. */
export function fingerprint(text: string): string {
  return hashText(text).toString(BASE);
}

/**
 * Adds a checksum over all other fields, which {@link isIntact} compares. It detects damage: a changed digit, and a missing or an
 * added field. It does not depend on the order of keys or on spaces, because a database may change both. It is not a signature:
 * a program that forges the value can compute it.
 */
export function withChecksum<T extends object>(value: T): T & { readonly checksum: string } {
  return { ...value, checksum: hashJson(value) };
}

/** Tells whether a JSON value still has the fields that {@link withChecksum} saw. */
export function isIntact({ checksum, ...value }: { readonly checksum: string }): boolean {
  return checksum === hashJson(value);
}

/** Hashes a value as JSON, whatever the order of its keys. A secret counts as equal to any other. */
export function hashJson(value: object): string {
  const normalize = (_key: string, each: unknown): unknown => {
    if (typeof each === "bigint") return String(each);
    return isRecord(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each;
  };
  return fingerprint(JSON.stringify(value, normalize));
}
