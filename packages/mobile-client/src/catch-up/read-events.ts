import { isApiError, type Pager, type PagerOptions } from "@fieldmesh/http";
import { recordOf } from "@fieldmesh/core/internal";
import type { Events, StoredEvent } from "../events.ts";
import { type CatchUpCheckpoint, timeOf } from "./checkpoint.ts";
import { watchOrder } from "./list-order.ts";

/** Why a run with a checkpoint has read the whole list. */
export type WholeList = "no_order" | "order_changed" | "cursor_rejected";

/** An event of the list, and the cursor of its page. */
export interface ListedEvent {
  readonly stored: StoredEvent;
  readonly id: string;
  readonly createdAt: string;
  /** `createdAt` in milliseconds, or NaN. */
  readonly time: number;
  readonly cursor: string | null;
}

/** Events as they are read. At the end, why the whole list must be read, if so. */
type Reader = AsyncGenerator<ListedEvent, WholeList | undefined>;

interface Reading {
  readonly events: Events;
  readonly options: PagerOptions;
  readonly checkpoint: CatchUpCheckpoint | undefined;
  /** How long before the last run a list that is newest first is read, in milliseconds. */
  readonly overlap: number;
}

/** Reads what is new, and the open events. If the list contradicts the checkpoint, reads all: handled ones are duplicates. */
export function readEvents({ events, options, checkpoint, overlap }: Reading) {
  let seen = watchOrder(overlap);
  let newest: { readonly createdAt: string | null; readonly time: number } = {
    createdAt: checkpoint?.newest ?? null,
    time: timeOf(checkpoint?.newest),
  };
  let tail = { cursor: checkpoint?.cursor ?? null, first: checkpoint?.first ?? null };
  let why: WholeList | undefined;

  const listFrom = (cursor: string | null): Pager<StoredEvent> =>
    events.list(cursor === null ? {} : { cursor }, options);

  /** Reads pages from a cursor on. */
  async function* readPages(from: string | null): AsyncGenerator<readonly ListedEvent[]> {
    let cursor = from;
    for await (const page of listFrom(from).pages()) {
      const listed = page.items.map((stored) => toListed(stored, cursor));
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
  async function* readNewer({ cursor, first, open, order }: CatchUpCheckpoint): Reader {
    const others = new Set(open.map((event) => event.cursor).filter((each) => each !== cursor));
    for (const each of others) {
      const page = (await listFrom(each).page()).items.map((stored) => toListed(stored, each));
      const wanted = open.filter((event) => event.cursor === each).map(({ id }) => id);
      if (!wanted.every((id) => page.some((event) => event.id === id))) return "order_changed";
      yield* page.filter(({ id }) => wanted.includes(id));
    }
    let isFirst = true;
    for await (const page of readPages(cursor)) {
      if (isFirst && (page[0]?.id ?? null) !== first) return "order_changed";
      isFirst = false;
      if (seen.contradicts(order)) return "order_changed";
      yield* page;
    }
    return undefined;
  }

  /** Reads down to the overlap, or to the oldest open event. */
  async function* readDown({ open, order, newest: before }: CatchUpCheckpoint): Reader {
    const until = Math.min(
      timeOf(before) - overlap,
      ...open.map(({ created_at }) => timeOf(created_at)),
    );
    for await (const page of readPages(null)) {
      if (seen.contradicts(order)) return "order_changed";
      yield* page;
      const last = page.findLast(({ time }) => !Number.isNaN(time));
      if (last !== undefined && last.time < until) return undefined;
    }
    return undefined;
  }

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
    place(): Pick<CatchUpCheckpoint, "newest" | "order" | "cursor" | "first"> {
      const order = checkpoint !== undefined && why === undefined ? checkpoint.order : seen.order();
      return {
        newest: newest.createdAt,
        order,
        ...(order === "oldest_first" ? tail : { cursor: null, first: null }),
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
function toListed(stored: StoredEvent, cursor: string | null): ListedEvent {
  const { id, created_at } = recordOf(stored);
  const createdAt = textOf(created_at);
  return { stored, id: textOf(id), createdAt, time: timeOf(createdAt), cursor };
}

/** Returns a field that is a string, and "" for every other one. */
export function textOf(field: unknown): string {
  return typeof field === "string" ? field : "";
}
