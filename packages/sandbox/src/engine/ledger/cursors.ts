import { ledgerError } from "./errors.ts";
import type { LedgerState } from "./ledger-state.ts";

/** What a cursor holds: the place, and the filters of the first request. */
export interface CursorContent {
  readonly at: number;
  readonly filters: Readonly<Record<string, number | string>>;
  /** Empty pages that still come before the next one; `undefined` until that is decided. */
  readonly gap?: number | undefined;
}

interface Issued extends CursorContent {
  readonly row: string;
  readonly time: number;
  readonly epoch: number;
}

/** The two lists of which the spec says that their cursors expire. */
const EXPIRING = new Set(["accounts.list", "accounts.hotspots"]);

/** Writes a cursor of a row. */
export function writeCursor(state: LedgerState, row: string, content: CursorContent): string {
  const issued: Issued = {
    ...content,
    row,
    time: state.clock.now(),
    epoch: state.expired.epoch,
  };
  return btoa(encodeURIComponent(JSON.stringify(issued)));
}

/** Reads a cursor of a row, or rejects it. */
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
