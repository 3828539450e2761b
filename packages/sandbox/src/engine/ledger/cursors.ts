import { ledgerError } from "./errors.ts";
import type { LedgerState } from "./ledger-state.ts";

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
