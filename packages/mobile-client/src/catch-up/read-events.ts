import { isApiError, type Pager, type PagerOptions } from "@fieldmesh/http";
import { fingerprint, recordOf, stringifyJson, timeOfStamp } from "@fieldmesh/core/internal";
import type { Events, StoredEvent } from "../events.ts";
import type { CatchUpCheckpoint, OpenEvent } from "./checkpoint.ts";
import type { Dates } from "./dates.ts";
import { watchOrder } from "./list-order.ts";

/** Why a run with a checkpoint has read the whole list. */
export type WholeList = "no_order" | "order_changed" | "cursor_rejected";

/** An event of the list, and the cursor of its page. */
export interface ListedEvent {
  readonly stored: StoredEvent;
  /** Its id, or a hash of an item without an id. */
  readonly id: string;
  readonly type: string;
  readonly createdAt: string | null;
  /** `createdAt` in milliseconds, or NaN if that does not count: see `readDates`. */
  readonly time: number;
  /** The same, or when it was first read. */
  readonly date: number;
  readonly cursor: string | null;
  /** It follows the last page of the last run. */
  readonly isNew?: boolean;
}

/** Events as they are read. At the end, why the whole list must be read, if so. */
type Reader = AsyncGenerator<ListedEvent, WholeList | undefined>;

interface Reading {
  readonly events: Events;
  readonly options: PagerOptions;
  readonly checkpoint: CatchUpCheckpoint | undefined;
  /** The open events that this run tries again. */
  readonly again: readonly OpenEvent[];
  readonly dates: Dates;
  /** How long before the last run a list that is newest first is read, in milliseconds. */
  readonly overlap: number;
}

/** Reads what is new, and the open events. If the list contradicts the checkpoint, reads all: handled ones are duplicates. */
export function readEvents({ events, options, checkpoint, again, dates, overlap }: Reading) {
  let seen = watchOrder(overlap);
  let newest: Pick<ListedEvent, "createdAt" | "time"> = {
    createdAt: checkpoint?.newest ?? null,
    time: timeOfStamp(checkpoint?.newest),
  };
  let tail = { cursor: checkpoint?.cursor ?? null, first: checkpoint?.first ?? null };
  let why: WholeList | undefined;

  const listFrom = (cursor: string | null): Pager<StoredEvent> =>
    events.list(cursor === null ? {} : { cursor }, options);

  /** Reads pages from a cursor on. */
  async function* readPages(from: string | null): AsyncGenerator<readonly ListedEvent[]> {
    let cursor = from;
    for await (const page of listFrom(from).pages()) {
      const listed = page.items.map((stored) => toListed(stored, cursor, dates));
      listed.forEach(observe);
      if (listed.length > 0) tail = { cursor, first: listed[0]?.id ?? null };
      yield listed;
      cursor = page.cursor ?? null;
    }
  }

  function observe(event: ListedEvent): void {
    seen.add(event.time);
    // Before the first event with a time, that of the newest one is NaN.
    if (!Number.isNaN(event.time) && !(event.time <= newest.time)) newest = event;
  }

  /** Reads the pages of open events, then the last page of the last run and those after it. */
  async function* readNewer({ cursor, first, order }: CatchUpCheckpoint): Reader {
    const others = new Set(again.map((event) => event.cursor).filter((each) => each !== cursor));
    for (const each of others) {
      const { items } = await listFrom(each).page();
      const page = items.map((stored) => toListed(stored, each, dates));
      const wanted = again.filter((event) => event.cursor === each).map(({ id }) => id);
      if (!wanted.every((id) => page.some((event) => event.id === id))) return "order_changed";
      yield* page.filter(({ id }) => wanted.includes(id));
    }
    let isNew = false;
    for await (const page of readPages(cursor)) {
      if (!isNew && (page[0]?.id ?? null) !== first) return "order_changed";
      if (seen.contradicts(order)) return "order_changed";
      for (const event of page) yield { ...event, isNew };
      isNew = true;
    }
    return undefined;
  }

  /** Reads down to the overlap, or to the oldest open event. A page ends it if all its dates are before, so that a wrong one does not. */
  async function* readDown({ order, newest: before }: CatchUpCheckpoint): Reader {
    const until = Math.min(timeOfStamp(before) - overlap, ...again.map(placeOf));
    // A page of equal dates shows no order, but reading down in this one meets the newest event of the last run.
    let hasMet = before === null;
    for await (const page of readPages(null)) {
      if (seen.contradicts(order)) return "order_changed";
      yield* page;
      hasMet ||= page.some(({ time }) => time >= timeOfStamp(before));
      const dated = page.filter(({ time }) => !Number.isNaN(time));
      if (dated.length > 0 && dated.every(({ time }) => time < until)) break;
    }
    return hasMet ? undefined : "order_changed";
  }

  /** Without a date that counts, an event may be anywhere in the list. */
  const placeOf = ({ id, created_at }: OpenEvent): number =>
    dates.isKnown(id) ? Number.NEGATIVE_INFINITY : timeOfStamp(created_at);

  async function* readNew(from: CatchUpCheckpoint): Reader {
    if (from.order === "none") return "no_order";
    try {
      return yield* from.order === "oldest_first" ? readNewer(from) : readDown(from);
    } catch (error) {
      if (from.order === "oldest_first" && isRejectedCursor(error)) return "cursor_rejected";
      throw error;
    }
  }

  async function* read(): AsyncGenerator<ListedEvent, undefined> {
    if (checkpoint !== undefined) {
      why = yield* readNew(checkpoint);
      if (why === undefined) return;
      seen = watchOrder(overlap);
    }
    for await (const page of readPages(null)) yield* page;
  }

  return {
    events: read(),
    /** Why the run has read the whole list. `undefined` if it has not, or had no checkpoint. */
    wholeList: () => why,
    /** The fields of the next checkpoint, after the run has read everything. */
    place(): Pick<CatchUpCheckpoint, "newest" | "order" | "cursor" | "first" | "undated"> {
      const isWhole = checkpoint === undefined || why !== undefined;
      const order = isWhole ? seen.order() : checkpoint.order;
      return {
        newest: newest.createdAt,
        order,
        ...(order === "oldest_first" ? tail : { cursor: null, first: null }),
        undated: dates.undated(isWhole),
      };
    },
  };
}

/** The statuses of a cursor that a service does not know, or no longer. */
const REJECTED = new Set([400, 404, 410, 422]);

function isRejectedCursor(error: unknown): boolean {
  return isApiError(error) && REJECTED.has(error.status);
}

/** The items of the list are typed but not checked. An item may be null, and a field may be an object. */
function toListed(stored: StoredEvent, cursor: string | null, dates: Dates): ListedEvent {
  const { id: given, type, created_at: createdAt } = recordOf(stored);
  const id = textOf(given) || `item_${fingerprint(stringifyJson(stored))}`;
  const stamp = typeof createdAt === "string" ? createdAt : null;
  const { time, date } = dates.dateOf(id, stamp);
  return { stored, id, type: textOf(type), createdAt: stamp, time, date, cursor };
}

/** Returns a field that is a string, and "" for every other one. */
function textOf(field: unknown): string {
  return typeof field === "string" ? field : "";
}
