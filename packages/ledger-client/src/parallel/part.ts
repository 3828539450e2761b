import type { CurrentPage, Walk } from "@fieldmesh/http/internal/pager";
import type { Mark, PartCheckpoint } from "./checkpoint.ts";

/**
 * A part of a list whose newest item comes first: the list of one query, down to the first item of the next part's query.
 *
 * All queries have the same first time and differ in the last one, so the list of each query is the end of the list of the query
 * before it. A part ends where it meets the first item of the next part. The result therefore does not depend on how a service
 * treats a border: the block that contains the last time, equal times, or times cut to the minute.
 */
export interface Part<T> {
  /** The time down to which it was read, in milliseconds. `undefined` if not known. */
  readonly at: number | undefined;
  /** The time at which it ends: the start of the next part, or of the range. */
  readonly low: number;
  /** The pages that were read but not returned yet. */
  readonly pages: number;
  /** The first item of its query. `undefined` before it is read, and if there is none. */
  readonly first: Mark | undefined;
  /** Whether the first item was read, or there is none. */
  readonly isKnown: boolean;
  /** Whether it may have read past its end, which is not known yet. */
  readonly isWaiting: boolean;
  /** Whether everything was read. */
  readonly isRead: boolean;
  /** Whether everything was returned. */
  readonly isDone: boolean;
  /** Whether it reached the end of the list without the item where it should have ended. */
  readonly isLost: boolean;
  readonly hasItem: boolean;
  read(): Promise<PageRead | undefined>;
  take(): IteratorYieldResult<T> | undefined;
  /** Whether the item that was taken last repeats a row that ended the page before. */
  readonly isRepeated: boolean;
  /** Moves everything older than a time to a new part, and returns that part. */
  split(time: number): Part<T>;
  checkpoint(): PartCheckpoint;
  close(): void;
}

/** What a page says about the list. */
export interface PageRead {
  /** Milliseconds between the last item before the page, or else its first item, and its last item. */
  readonly span: number | undefined;
  readonly isNewestFirst: boolean;
}

/** What a part is created from. */
export interface PartInit<T> {
  /** The last time of its query, as it is sent. */
  readonly max: string;
  /** The same in milliseconds. `undefined` if the walk resumes after it. */
  readonly at: number | undefined;
  readonly low: number;
  /** The following part; `stop` is used if its first item is known. */
  readonly next?: Part<T> | undefined;
  readonly stop?: Mark | undefined;
  readonly first?: Mark | undefined;
  readonly place?: PlaceInPart | undefined;
  /** Starts a walk from the last time of a part, at a place in it. */
  readonly open: (max: string, place: PlaceInPart | undefined) => Walk<T>;
  /** Returns a hash that identifies an item. */
  readonly keyOf: (item: T) => string;
  /** Tells whether times never increase. */
  readonly isNewestFirst: (times: readonly number[]) => boolean;
  /** Returns the time of an item as the service sent it. */
  readonly stampOf: (item: T) => string | number | null;
  readonly toMilliseconds: (stamp: string | number | null) => number | undefined;
  readonly anchorSize: number;
}

/** A page that was read. `index` is that of its next item, `end` is the one after the last item of the part. */
interface Buffered<T> {
  readonly items: readonly T[];
  readonly offset: number;
  readonly place: PlaceInPart;
  readonly repeated: number;
  index: number;
  end: number;
}

/** A place after the returned items. */
export type PlaceInPart = NonNullable<PartCheckpoint["place"]>;

/** Some services cut times to the minute. */
const BORDER = 60_000;

/** Creates a part. It reads nothing yet. */
export function createPart<T>(init: PartInit<T>): Part<T> {
  const { keyOf, isNewestFirst, stampOf, toMilliseconds, anchorSize } = init;
  const walk = init.open(init.max, init.place);
  let { at, low, next, stop, first } = init;
  let isKnown = first !== undefined;
  let [hasRead, isListRead, isStopped, isRepeated] = [false, false, false, false];
  let buffer: Buffered<T>[] = [];

  /** Returns whether the end of the part is known. Until then, items close to the border wait, because they may belong to the next part. */
  function knowsEnd(): boolean {
    if (next === undefined) return true;
    if (!next.isKnown) return false;
    // After an empty list, all further lists are empty.
    stop = next.first;
    next = undefined;
    buffer.every((page) => !cut(page));
    return true;
  }

  /** Ends the part within a page if its end is there. */
  function cut(page: Buffered<T>): boolean {
    const index = page.items.findIndex((item, each) => each >= page.index && isStop(item));
    if (index === -1) return false;
    page.end = index;
    isStopped = true;
    buffer = buffer.slice(0, buffer.indexOf(page) + 1);
    walk.close();
    return true;
  }

  /** Whether the next item of a page certainly belongs to this part, however the service treats the border. */
  function isOwn({ items, index }: Buffered<T>): boolean {
    const time = toMilliseconds(stampOf(items[index] as T)) ?? -Infinity;
    return time >= low + BORDER;
  }

  function isStop(item: T): boolean {
    // Hashing is only needed if the time is the same.
    return stop !== undefined && stampOf(item) === stop.time && keyOf(item) === stop.key;
  }

  function currentPage(): Buffered<T> | undefined {
    while (buffer[0] !== undefined && buffer[0].index >= buffer[0].end) buffer.shift();
    return buffer[0];
  }

  /** Returns the page with the next item that may be returned. */
  function readyPage(): Buffered<T> | undefined {
    const isKnownEnd = knowsEnd();
    const page = currentPage();
    return page !== undefined && (isKnownEnd || isOwn(page)) ? page : undefined;
  }

  /** Keeps a page that has an item, at least. */
  function keep(page: CurrentPage<T>): PageRead {
    const { items, offset, end, repeated } = page;
    const buffered = {
      items,
      offset,
      end,
      repeated,
      index: offset,
      place: placeOf(walk.checkpoint()),
    };
    walk.give(end - offset);
    const newest = items[offset] as T;
    first ??= { key: keyOf(newest), time: stampOf(newest) };
    isKnown = true;
    buffer.push(buffered);
    cut(buffered);
    const times = items.slice(offset, end).map((item) => toMilliseconds(stampOf(item)));
    const all = [at, ...times].filter((time) => time !== undefined);
    // There may be a long time without items before the first page of a part.
    const from = hasRead ? (at ?? times[0]) : times[0];
    hasRead = true;
    at = times.at(-1);
    return {
      span: from === undefined || at === undefined ? undefined : from - at,
      isNewestFirst: isNewestFirst(all),
    };
  }

  function placeNow(): PlaceInPart {
    const page = currentPage();
    if (page === undefined) return placeOf(walk.checkpoint());
    const { place, offset, index, items } = page;
    const given = items.slice(Math.max(offset, index - anchorSize), index);
    return {
      ...place,
      offset: index,
      items: place.items + index - offset,
      anchor: [...place.anchor, ...given.map((item) => keyOf(item))].slice(-anchorSize),
    };
  }

  return {
    get at() {
      return at;
    },
    get low() {
      return low;
    },
    get pages() {
      return buffer.length;
    },
    get first() {
      return first;
    },
    get isKnown() {
      return isKnown;
    },
    get isWaiting() {
      return !knowsEnd() && (at ?? low) < low;
    },
    get isRead() {
      // The end may be in a page that was read before the end was known.
      knowsEnd();
      return isListRead || isStopped;
    },
    get isDone() {
      return knowsEnd() && (isListRead || isStopped) && currentPage() === undefined;
    },
    get isLost() {
      return isListRead && knowsEnd() && stop !== undefined && !isStopped;
    },
    get hasItem() {
      return readyPage() !== undefined;
    },
    async read() {
      try {
        const page = await walk.nextPage();
        if (isStopped) return undefined;
        if (page !== undefined && page.offset < page.end) return keep(page);
        isListRead = page === undefined;
        isKnown ||= isListRead;
      } catch (error) {
        // The end of the part was found in an earlier page, which cancels this request.
        if (!isStopped) throw error;
      }
      return undefined;
    },
    take() {
      const page = readyPage();
      if (page === undefined) return undefined;
      isRepeated = page.index < page.repeated;
      return { done: false, value: page.items[page.index++] as T };
    },
    get isRepeated() {
      return isRepeated;
    },
    split(time) {
      const max = new Date(time).toISOString();
      const rest = { low, next, stop, first: undefined, place: undefined };
      next = createPart({ ...init, ...rest, max, at: time });
      stop = undefined;
      low = time;
      return next;
    },
    checkpoint() {
      // Keep what is known about the next part.
      knowsEnd();
      const place = placeNow();
      return {
        max: init.max,
        until: new Date(low).toISOString(),
        place: place.items === 0 ? null : place,
        first: first ?? null,
        stop: stop ?? null,
      };
    },
    close: () => walk.close(),
  };
}

function placeOf({ cursor, offset, items, anchor, before }: PlaceInPart): PlaceInPart {
  return { cursor, offset, items, anchor, before };
}
