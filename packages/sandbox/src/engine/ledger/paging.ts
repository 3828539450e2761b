import type { Call } from "../serve/call.ts";
import type { LedgerState } from "./ledger-state.ts";
import { mix } from "./texts.ts";
import { ledgerError } from "./errors.ts";

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

/** The contents of a cursor: the position, and the filters of the first request. */
export interface CursorContent {
  readonly at: number;
  readonly filters: Readonly<Record<string, number | string>>;
  /** The number of empty pages before the next page with items; `undefined` until it is chosen. */
  readonly gap?: number | undefined;
}

interface Issued extends CursorContent {
  readonly row: string;
  readonly time: number;
  readonly epoch: number;
}

/** The two lists whose cursors expire according to the spec. */
const EXPIRING = new Set(["accounts.list", "accounts.hotspots"]);

export function writeCursor(state: LedgerState, row: string, content: CursorContent): string {
  const issued: Issued = { ...content, row, time: state.clock.now(), epoch: state.expired.epoch };
  return btoa(encodeURIComponent(JSON.stringify(issued)));
}

/** Reads a cursor of a row. Rejects an invalid or expired one. */
export function readCursor(
  state: LedgerState,
  row: string,
  text: string,
): CursorContent | Response {
  const issued = parse(text);
  if (issued === undefined || issued.row !== row) return ledgerError(400);
  const expires = state.expiringLists === "all" || EXPIRING.has(row);
  const isOld =
    issued.epoch < state.expired.epoch || state.clock.now() - issued.time >= state.cursorLifetime;
  return expires && isOld ? ledgerError(400, state.expiredText) : issued;
}

function parse(text: string): Issued | undefined {
  try {
    const value = JSON.parse(decodeURIComponent(atob(text))) as Partial<Issued> | null;
    return typeof value?.at === "number" ? (value as Issued) : undefined;
  } catch {
    return undefined;
  }
}
