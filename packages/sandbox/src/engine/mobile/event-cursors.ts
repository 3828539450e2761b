import { createRandom } from "../random.ts";

/** Creates cursors that cannot be guessed, so that an invented cursor is rejected. */
export function createEventCursors(seed: number | string, list: string) {
  /** Returns the cursor of the page that begins after this many events. */
  const write = (offset: number): string => {
    const mark = createRandom(seed, `cursor ${list} ${offset}`).hex(16).toLowerCase();
    return `evc_${offset}_${mark}`;
  };
  return {
    write,
    /** Returns how many events precede the page of a cursor; `undefined` for a string that this list never returned. */
    read: (cursor: string): number | undefined => {
      const offset = Number(/^evc_(\d{1,15})_/.exec(cursor)?.[1]);
      return !Number.isNaN(offset) && write(offset) === cursor ? offset : undefined;
    },
  };
}
