import { createRandom } from "../random.ts";

/** The cursors of one list of events. */
export interface EventCursors {
  /** Returns the cursor of the page that begins after this many events. */
  write(offset: number): string;
  /** Returns how many events precede the page of a cursor; `undefined` for a string that this list never returned. */
  read(cursor: string): number | undefined;
}

/** Creates cursors that cannot be guessed, so that an invented cursor is rejected. */
export function createEventCursors(seed: number | string, list: string): EventCursors {
  const write = (offset: number): string => {
    const mark = createRandom(seed, `cursor ${list} ${offset}`).hex(16).toLowerCase();
    return `evc_${offset}_${mark}`;
  };
  return {
    write,
    read: (cursor) => {
      const offset = Number(/^evc_(\d{1,15})_/.exec(cursor)?.[1]);
      return !Number.isNaN(offset) && write(offset) === cursor ? offset : undefined;
    },
  };
}
