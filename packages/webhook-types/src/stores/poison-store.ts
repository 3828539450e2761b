import type { Payloads } from "./payloads.ts";

/** One failed attempt at an event. */
export interface FailedAttempt {
  readonly id: string;
  readonly type: string;
  /** The names and codes of the errors. Never a message, which may quote the payload. */
  readonly error: string;
}

/** An event that failed so often that it was set aside. It holds no payload, so that it may be logged. */
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

/** An event that was set aside, with what it can be run again from. */
export interface KeptEvent extends SetAsideEvent {
  /** The string that `setAside` received; `undefined` where the payload was not kept. */
  readonly payload: string | undefined;
}

/** Counts failed attempts, and keeps the events that were set aside until they are removed. All functions must be atomic. */
export interface PoisonStore {
  /** How payloads are kept. The receiver removes or encrypts secrets before the store gets a payload. @default none is kept */
  readonly payload?: Payloads | undefined;
  /** Counts a failed attempt, and returns how many there were since the event was last removed. */
  fail(attempt: FailedAttempt): Promise<number>;
  /**
   * Sets an event aside whose failures were counted, for as long as it is not removed. Resolves with `true` once that is
   * durable: the sender then receives a 2xx. Resolves with `false` where the event cannot be kept.
   *
   * An event that is set aside again keeps its first payload and the time it was first set aside.
   */
  setAside(id: string, payload: string | undefined): Promise<boolean>;
  /** Returns the events that were set aside, at most 1000, the first one first. */
  list(): Promise<readonly SetAsideEvent[]>;
  /** Returns an event that was set aside; `undefined` for any other id. */
  get(id: string): Promise<KeptEvent | undefined>;
  /** Forgets an event and its failures, because it was handled, or because you gave it up. */
  remove(id: string): Promise<void>;
}

/** How many events `list` returns. */
export const LONGEST_LIST = 1_000;
