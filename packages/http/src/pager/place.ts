import type { Checkpoint } from "./checkpoint.ts";
import { keyOf } from "./fingerprint.ts";
import type { LoopCheck } from "./loop-check.ts";
import type { CurrentPage } from "./page.ts";
import { createSeek, type Seek } from "./seek.ts";

/** Where a walk is, and how to find that place again. */
export interface Place<T> {
  /** How many items were given, by earlier walks too. */
  items(): number;
  give(count: number): void;
  /** Goes on to another page; `isFound` says that the place was looked for, and found in it. */
  move(page: CurrentPage<T>, isFound: boolean): CurrentPage<T>;
  /** Looks for the place from the page on that it was in; `undefined` where that page begins with it. */
  seekInPage(offset: number): Seek | undefined;
  /** Looks for the place from the start of the list; `undefined` where it is the start. */
  seekInList(): Seek | undefined;
  /** The part of a checkpoint that says where. */
  describe(
    start: string | null,
    seen: Pick<LoopCheck, "has">,
  ): Pick<Checkpoint, "cursor" | "offset" | "items" | "anchor">;
}

/** Creates the place at which a walk begins. */
export function createPlace<T>(
  keyFields: readonly string[] | undefined,
  anchorSize: number,
  resumeFrom: Checkpoint | undefined,
): Place<T> {
  let current: CurrentPage<T> | undefined;
  let given = resumeFrom?.items ?? 0;
  /** The end of what was given before the current page: keys from an earlier walk, and items of this one. */
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
    items: () => given,
    give(count) {
      given += count;
      if (current !== undefined) current.offset += count;
    },
    move(page, isFound) {
      if (isFound) {
        const keys = anchor();
        // The rest of the anchor is in the page itself.
        tail = { keys: keys.slice(0, Math.max(0, keys.length - page.offset)), items: [] };
      } else {
        // Items and not their keys: hashing is only worth it when the place is asked for.
        const items = [...tail.items, ...lastOfCurrent()].slice(-anchorSize);
        tail = { keys: tail.keys, items };
      }
      return (current = page);
    },
    seekInPage(offset) {
      return offset === 0 ? undefined : createSeek(anchor().slice(-offset), offset, itemKey);
    },
    seekInList() {
      return given === 0 ? undefined : createSeek(anchor(), given, itemKey);
    },
    describe(start, seen) {
      const at = { items: given, anchor: anchor() };
      if (current === undefined) return { ...at, cursor: start, offset: resumeFrom?.offset ?? 0 };
      const { offset, items, cursor, readFrom = null } = current;
      // After a whole page the walk resumes at the next one; but a cursor that came back must be noticed again.
      if (offset === items.length && cursor !== undefined && !seen.has(cursor))
        return { ...at, cursor, offset: 0 };
      return { ...at, cursor: readFrom, offset };
    },
  };
}
