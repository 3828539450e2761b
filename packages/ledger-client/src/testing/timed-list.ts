import { isNewestFirst, keyOf, startWalk, type Source } from "@fieldmesh/http/internal/pager";
import { createPart, type Part, type PartInit } from "../parallel/part.ts";

const MINUTE = 60_000;
const SECOND = 1_000;
export const ANCHOR_SIZE = 3;

/** An item of a list. Its time is in seconds. */
export interface Item {
  readonly id: string;
  readonly time: number | null;
}

/** A list that is split into parts, and the requests for its pages. */
export interface TimedList {
  /** Starts a walk from the last time of a query, at a place in its list. */
  readonly open: PartInit<Item>["open"];
  /** Creates a part of the list, from one minute down to another. */
  readonly part: (from: number, low: number, init?: Partial<PartInit<Item>>) => Part<Item>;
  /** The last time of the query and the cursor of each request, in order. */
  readonly requests: string[];
}

/** Returns an item at a minute. Its id is the minute, unless another one is given. */
export function at(minute: number | null, id = `m${minute}`): Item {
  return { id, time: minute === null ? null : minute * 60 };
}

/** Returns the items of the minutes from one down to another. */
export function minutes(from: number, to: number): Item[] {
  return Array.from({ length: from - to + 1 }, (_, index) => at(from - index));
}

/** Returns the time of a minute as it is sent. */
export const sent = (minute: number): string => new Date(minute * MINUTE).toISOString();

export const keyOfItem = (item: Item): string => keyOf(item, ["id"]);

/** Serves items, newest first, in pages. The list of a query has the items that were at its last time or before. */
export function createList(
  items: readonly Item[],
  {
    pageSize = 3,
    beforeResponse = () => undefined,
  }: {
    readonly pageSize?: number;
    /** Runs before each response. What it throws is the failure of the request. */
    readonly beforeResponse?: (request: string, signal: AbortSignal | undefined) => unknown;
  } = {},
): TimedList {
  const requests: string[] = [];
  const open: PartInit<Item>["open"] = (max, place) => {
    const context = { call: "list", route: "GET /list" };
    const identity = { call: "list", server: "s", path: "p", query: { max } };
    const source: Source<Item> = {
      context,
      key: ["id"],
      signal: undefined,
      start: undefined,
      identify: () => identity,
      reportRepeated: () => undefined,
      async fetchPage(cursor, signal) {
        const request = cursor === undefined ? max : `${max} ${cursor}`;
        requests.push(request);
        await beforeResponse(request, signal);
        const list = items.filter(({ time }) => (time ?? 0) * SECOND <= Date.parse(max));
        const from = Number(cursor ?? 0);
        const end = from + pageSize;
        const next = end < list.length ? String(end) : undefined;
        return { items: list.slice(from, end), cursor: next, meta: undefined };
      },
    };
    const settings = {
      checkpoint: undefined,
      prefetch: 0,
      maxItems: Infinity,
      maxPages: Infinity,
      maxEmptyPages: 9,
      onCursorExpired: "error",
      keepTrying: 0,
      anchorSize: ANCHOR_SIZE,
    } as const;
    return startWalk(source, identity, settings, place);
  };
  return {
    requests,
    open,
    part: (from, low, init) =>
      createPart<Item>({
        max: sent(from),
        at: from * MINUTE,
        low: low * MINUTE,
        open,
        keyOf: keyOfItem,
        isNewestFirst,
        stampOf: ({ time }) => time,
        toMilliseconds: (stamp) => (typeof stamp === "number" ? stamp * SECOND : undefined),
        anchorSize: ANCHOR_SIZE,
        ...init,
      }),
  };
}
