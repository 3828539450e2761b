import { createRandom } from "../random.ts";

/** The cursors of one list of events. */
export interface EventCursors {
  /** The cursor of the page that begins behind so many events. */
  write(offset: number): string;
  /** How many events are before its page; `undefined` for a string that this list never returned. */
  read(cursor: string): number | undefined;
}

/** Creates cursors that cannot be guessed, so that a client which makes up its own is rejected. */
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
