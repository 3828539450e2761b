import { withChecksum, ENDED } from "@fieldmesh/core/internal";
import {
  CursorExpiredError,
  CursorLoopError,
  PlaceLostError,
  TooManyEmptyPagesError,
} from "../errors/walk-errors.ts";
import type { Checkpoint, PlaceInList, QueryIdentity } from "./checkpoint.ts";
import type { CurrentPage, Page } from "./page.ts";
import type { WalkSettings } from "./pager-options.ts";
import { createLoopCheck } from "./loop-check.ts";
import { createPlace } from "./place.ts";
import { outlast } from "../send/keep-trying.ts";

/** What a walk reads from. */
export interface WalkSource<T> {
  readonly context: { readonly call: string; readonly route: string };
  readonly fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>;
  /** The fields that identify an item. Without them, the whole item does. */
  readonly key: readonly string[] | undefined;
  readonly identity: QueryIdentity;
  /** Reports that a page begins with the rows that ended the page before. */
  readonly reportRepeated: () => void;
  readonly signal: AbortSignal | undefined;
  /** The cursor to start at. The items before it are not known, so such a walk is never restarted. */
  readonly start: string | undefined;
}

/** A walk page by page. Both iterators use it. */
export interface Walk<T> {
  /** Returns the next page, or `undefined` at the end. All items of the previous page must have been returned. */
  nextPage(): Promise<CurrentPage<T> | undefined>;
  /** Records that some more items of the current page were returned to the caller. */
  give(count: number): void;
  checkpoint(): Checkpoint;
  /** Returns how many items were returned that a page has repeated. */
  repeated(): number;
  close(): void;
}

// If a cursor expires this often in a row without a new item, another restart finds none either.
const MAX_FRUITLESS_RESTARTS = 3;

/** Starts a walk. A failure keeps its place, so `nextPage()` can be called again. */
export function createWalk<T>(
  source: WalkSource<T>,
  settings: WalkSettings,
  resumeFrom: PlaceInList | undefined,
): Walk<T> {
  const { context, start } = source;
  const reader = createReader({ ...source, keepTrying: settings.keepTrying });
  const place = createPlace<T>(source.key, settings.anchorSize, resumeFrom);
  let cursor = resumeFrom === undefined ? start : (resumeFrom.cursor ?? undefined);
  let seek = resumeFrom === undefined ? undefined : place.seekInPage(resumeFrom.offset);
  let seen = createLoopCheck();
  let ended = false;
  let [pages, items, empty, fruitless] = [0, 0, 0, 0];

  async function nextPage(): Promise<CurrentPage<T> | undefined> {
    while (pages < settings.maxPages && items < settings.maxItems) {
      if (ended && seek === undefined) return undefined;
      if (ended) throw new PlaceLostError(context, place.items());
      checkCursor();
      const page = await readOrRestart();
      const next = page && take(page);
      if (next !== undefined) return next;
    }
    return undefined;
  }

  function checkCursor(): void {
    if (cursor === undefined) return;
    if (seen.has(cursor)) throw new CursorLoopError(context, { cursor, pages, items });
    if (empty <= settings.maxEmptyPages) return;
    // Resets the counter, so that a retry follows up to `maxEmptyPages` more.
    empty = 0;
    throw new TooManyEmptyPagesError(context, cursor, settings.maxEmptyPages);
  }

  async function readOrRestart(): Promise<Page<T> | undefined> {
    try {
      return await reader.read(cursor);
    } catch (error) {
      const restarts = settings.onCursorExpired === "restart" && start === undefined;
      if (!restarts || !(error instanceof CursorExpiredError)) throw error;
      if (++fruitless > MAX_FRUITLESS_RESTARTS) {
        fruitless = 0;
        throw error;
      }
      seek = place.seekInList();
      cursor = undefined;
      seen = createLoopCheck();
      return undefined;
    }
  }

  /** Makes a page the current one, unless the place that is searched for is not in it or is its end. */
  function take(page: Page<T>): CurrentPage<T> | undefined {
    const readFrom = cursor;
    if (readFrom !== undefined) seen.add(readFrom);
    cursor = page.cursor;
    ended = page.cursor === undefined;
    empty = page.items.length === 0 ? empty + 1 : 0;
    const offset = seek === undefined ? 0 : seek.find(page.items);
    if (offset === undefined) return undefined;
    const isFound = seek !== undefined;
    seek = undefined;
    const left = settings.maxItems - items;
    const end = Math.min(page.items.length, offset + left);
    const current = place.move({ ...page, readFrom, offset, end }, isFound);
    if (isFound && offset === page.items.length) return undefined;
    pages++;
    if (current.repeated > 0) source.reportRepeated();
    if (page.items.length - offset < left) readAhead();
    return current;
  }

  function readAhead(): void {
    const isNeeded = cursor !== undefined && !seen.has(cursor) && pages < settings.maxPages;
    if (isNeeded && settings.prefetch > 0 && empty <= settings.maxEmptyPages)
      reader.prefetch(cursor);
  }

  return {
    nextPage,
    give(count) {
      place.give(count);
      items += count;
      fruitless = 0;
    },
    checkpoint: () =>
      withChecksum({
        version: 1,
        ...source.identity,
        ...place.describe(resumeFrom?.cursor ?? start ?? null, seen),
      } as const),
    repeated: place.repeated,
    close: () => reader.close(),
  };
}

/** Creates a reader of pages, one at a time, and of the next page early on request. The caller's signal ends all its reads. */
function createReader<T>(source: {
  readonly fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>;
  readonly signal: AbortSignal | undefined;
  readonly keepTrying: number;
}) {
  const { fetchPage, signal, keepTrying } = source;
  let ahead: Promise<Page<T>> | undefined;
  let inFlight: AbortController | undefined;

  async function fetch(cursor: string | undefined): Promise<Page<T>> {
    const controller = (inFlight = new AbortController());
    const abort = (): void => controller.abort(signal?.reason);
    if (signal?.aborted === true) abort();
    // Only while the request lasts: a long-lived signal must not keep an abandoned walk alive.
    signal?.addEventListener("abort", abort);
    try {
      const patience = { keepTrying, signal: controller.signal };
      return await outlast(() => fetchPage(cursor, controller.signal), patience);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  return {
    async read(cursor: string | undefined): Promise<Page<T>> {
      const page = ahead ?? fetch(cursor);
      ahead = undefined;
      return await page;
    },
    /** Starts to read the page of the next `read`. That throws its failure, and a second call of `read` then retries. */
    prefetch(cursor: string | undefined): void {
      ahead = fetch(cursor);
      // The page may never be requested.
      ahead.catch(() => undefined);
    },
    /** Cancels all requests in progress. */
    close: (): void => inFlight?.abort(ENDED),
  };
}
