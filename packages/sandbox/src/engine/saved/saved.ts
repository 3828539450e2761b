import type { RateWindows } from "../serve/rate-limit.ts";

/** What senders have sent in their current minute, in a snapshot. */
type SavedWindows = [sender: string, ends: number, count: number][];

export function saveWindows(windows: RateWindows): SavedWindows {
  return Array.from(windows, ([sender, { ends, count }]) => [sender, ends, count]);
}

export function loadWindows(saved: SavedWindows = []): RateWindows {
  return new Map(saved.map(([sender, ends, count]) => [sender, { ends, count }]));
}

/** Replaces `Infinity`, which JSON does not have, by `null`. */
export function withoutInfinity(value: unknown): unknown {
  if (value === Number.POSITIVE_INFINITY) return null;
  if (Array.isArray(value)) return value.map(withoutInfinity);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutInfinity(each)]),
  );
}

/** Undoes {@link withoutInfinity} in options, none of which can be `null`. */
export function withInfinity(value: unknown): unknown {
  if (value === null) return Number.POSITIVE_INFINITY;
  if (Array.isArray(value)) return value.map(withInfinity);
  if (typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withInfinity(each)]),
  );
}
