import type { PlaceInList } from "./checkpoint.ts";
import { keyOf } from "./fingerprint.ts";
import type { CurrentPage } from "./page.ts";
import { createSeek } from "./seek.ts";

export type Place<T> = ReturnType<typeof createPlace<T>>;

/** Creates the place of a walk, which can be found again. */
export function createPlace<T>(
  keyFields: readonly string[] | undefined,
  anchorSize: number,
  resumeFrom: PlaceInList | undefined,
) {
  let current: CurrentPage<T> | undefined;
  let given = resumeFrom?.items ?? 0;
  /** The last items before the current page: keys from an earlier walk, and items of this one. */
  let tail: { keys: readonly string[]; items: readonly T[] } = {
    keys: resumeFrom?.anchor ?? [],
    items: [],
  };
  const itemKey = (item: unknown): string => keyOf(item, keyFields);
  const lastOfCurrent = (): readonly T[] =>
    current?.items.slice(Math.max(0, current.offset - anchorSize), current.offset) ?? [];
  const anchor = (): string[] =>
    [...tail.keys, ...[...tail.items, ...lastOfCurrent()].map(itemKey)].slice(-anchorSize);

  return {
    /** Returns how many items were returned, including those of earlier walks. */
    items: (): number => given,
    give(count: number): void {
      given += count;
      if (current !== undefined) current.offset += count;
    },
    /** Moves to another page. `isFound` says that the place was searched for and is in this page. */
    move(page: CurrentPage<T>, isFound: boolean): CurrentPage<T> {
      if (isFound) {
        const keys = anchor();
        // The rest of the anchor is in the page itself.
        tail = { keys: keys.slice(0, Math.max(0, keys.length - page.offset)), items: [] };
      } else {
        // Keeps items instead of their keys: hashing is only needed when the place is requested.
        const items = [...tail.items, ...lastOfCurrent()].slice(-anchorSize);
        tail = { keys: tail.keys, items };
      }
      return (current = page);
    },
    /** Searches for the place, starting at its page. Returns `undefined` if that page begins with it. */
    seekInPage(offset: number) {
      return offset === 0 ? undefined : createSeek(anchor().slice(-offset), offset, itemKey);
    },
    /** Searches for the place from the start of the list. Returns `undefined` if the place is the start. */
    seekInList() {
      return given === 0 ? undefined : createSeek(anchor(), given, itemKey);
    },
    /** Returns the part of a checkpoint that describes the place. */
    describe(start: string | null, seen: { has(cursor: string): boolean }): PlaceInList {
      const at = { items: given, anchor: anchor() };
      if (current === undefined) return { ...at, cursor: start, offset: resumeFrom?.offset ?? 0 };
      const { offset, items, cursor, readFrom = null } = current;
      // After a whole page, the walk resumes at the next page. A repeated cursor must be detected again, though.
      if (offset === items.length && cursor !== undefined && !seen.has(cursor))
        return { ...at, cursor, offset: 0 };
      return { ...at, cursor: readFrom, offset };
    },
  };
}
