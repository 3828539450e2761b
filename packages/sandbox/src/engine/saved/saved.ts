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
export function withoutInfinity(options: object): Record<string, unknown> {
  return mapLeaves(options, (leaf) => (leaf === Infinity ? null : leaf)) as Record<string, unknown>;
}

/** Undoes {@link withoutInfinity} in options, none of which can be `null`. */
export function withInfinity(options: object): object {
  return mapLeaves(options, (leaf) => (leaf === null ? Infinity : leaf)) as object;
}

function mapLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapLeaves(each, change));
  if (typeof value !== "object" || value === null) return change(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapLeaves(each, change)]),
  );
}
