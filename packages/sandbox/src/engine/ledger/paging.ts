import type { Call } from "../serve/call.ts";
import { type CursorContent, readCursor, writeCursor } from "./cursors.ts";
import type { LedgerState } from "./ledger-state.ts";
import { mix } from "./texts.ts";

/** A list whose items are read by position. */
export interface List<T> {
  readonly length: number;
  item(index: number): T;
}

export function listFrom<T>(all: readonly T[]): List<T> {
  return { length: all.length, item: (index) => all[index] as T };
}

type Filters = CursorContent["filters"];

export interface WirePage<T> {
  data: T[];
  cursor?: string;
}

const PAGE_SIZE = 100;
const MOST_EMPTY_PAGES = 3;
const WHOLE = 2 ** 32;

/** Responds with a page. `open` creates the list for the filters of the first request, which the cursor carries on. */
export function respondWithPage<T>(
  state: LedgerState,
  { row = "", input }: Call,
  {
    size = PAGE_SIZE,
    filters,
    open,
  }: {
    readonly size?: number;
    readonly filters?: () => Filters | Response;
    readonly open: (filters: Filters) => List<T>;
  },
): WirePage<T> | Response {
  const cursor = input["cursor"] as string | undefined;
  const content = cursor === undefined ? firstPage(filters) : readCursor(state, row, cursor);
  if (content instanceof Response) return content;
  const { at, gap = emptyPagesBefore(state, row, content) } = content;
  if (gap > 0) return { data: [], cursor: writeCursor(state, row, { ...content, gap: gap - 1 }) };
  const own = state.filtersInCursor ? content : firstPage(filters);
  if (own instanceof Response) return own;
  const list = open(own.filters);
  const end = Math.min(at + size, list.length);
  const data = Array.from({ length: Math.max(0, end - at) }, (_, index) => list.item(at + index));
  if (end >= list.length) return { data };
  if (cursor !== undefined && state.loops.has(row)) return { data, cursor };
  return { data, cursor: writeCursor(state, row, { filters: content.filters, at: end }) };
}

function firstPage(filters: (() => Filters | Response) | undefined): CursorContent | Response {
  const read = filters?.() ?? {};
  return read instanceof Response ? read : { at: 0, filters: read };
}

function emptyPagesBefore({ emptyPages }: LedgerState, row: string, { at }: CursorContent): number {
  const chance = mix(row.length, at);
  return chance / WHOLE < emptyPages ? 1 + (mix(at) % MOST_EMPTY_PAGES) : 0;
}
