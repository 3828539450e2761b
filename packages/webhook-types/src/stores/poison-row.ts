import type { KeptEvent, SetAsideEvent } from "./poison-store.ts";

/** Reads a row of PostgreSQL or SQLite. The client may be configured to return numbers as strings or as BigInt. */
export function readKept(row: { readonly [column: string]: unknown }): KeptEvent {
  const { payload } = row;
  return {
    id: String(row["id"]),
    type: String(row["type"]),
    attempts: Number(row["attempts"]),
    error: String(row["error"]),
    firstFailedAt: new Date(Number(row["first"])),
    lastFailedAt: new Date(Number(row["seen"])),
    setAsideAt: new Date(Number(row["aside"])),
    payload: typeof payload === "string" ? payload : undefined,
  };
}

/** You may log the list, but not a payload. */
export function toListed({ payload: _payload, ...event }: KeptEvent): SetAsideEvent {
  return event;
}
