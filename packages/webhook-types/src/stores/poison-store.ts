import type { EventStore } from "./idempotency-store.ts";
import type { Payloads } from "./store-options.ts";

/** One failed attempt to handle an event. */
export interface FailedAttempt {
  readonly id: string;
  readonly type: string;
  /** The names and codes of the errors. Never a message, which may quote the payload. */
  readonly error: string;
}

/** An event that failed so often that it was set aside. It contains no payload, so you may log it. */
export interface SetAsideEvent {
  readonly id: string;
  readonly type: string;
  /** The number of failed attempts. */
  readonly attempts: number;
  /** The names and codes of the last errors, such as `TypeError` or `DatabaseError 23505`. */
  readonly error: string;
  readonly firstFailedAt: Date;
  readonly lastFailedAt: Date;
  readonly setAsideAt: Date;
}

/** An event that was set aside, with the data to run it again. */
export interface KeptEvent extends SetAsideEvent {
  /** The string that `setAside` received. `undefined` if the payload was not stored. */
  readonly payload: string | undefined;
}

/** Counts failed attempts, and keeps the events that were set aside until you remove them. All functions must be atomic. */
export interface PoisonStore {
  /** How to store payloads. The receiver removes or encrypts secrets before the store receives a payload. @default none is stored */
  readonly payload?: Payloads | undefined;
  /** Counts a failed attempt, and returns how many there were since the event was last removed. */
  fail(attempt: FailedAttempt): Promise<number>;
  /**
   * Sets aside an event whose failures were counted, until it is removed. Resolves with `true` once that is durable: the sender
   * then receives a 2xx. Resolves with `false` if the event cannot be kept.
   *
   * If an event is set aside again, it keeps its first payload and the time it was first set aside.
   */
  setAside(id: string, payload: string | undefined): Promise<boolean>;
  /** Returns the events that were set aside, at most 1,000, oldest first. */
  list(): Promise<readonly SetAsideEvent[]>;
  /** Returns an event that was set aside, or `undefined` for any other id. */
  get(id: string): Promise<KeptEvent | undefined>;
  /** Forgets an event and its failures, because it was handled or because you gave it up. */
  remove(id: string): Promise<void>;
  /**
   * Removes an event in a transaction that an inbox has lent, with its COMMIT. Returns `false` if it cannot, because the transaction is
   * not of this database: `remove` is then called after it.
   */
  removeIn?(id: string, transaction: unknown, inbox: EventStore): boolean;
}

export const LONGEST_LIST = 1_000;

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
