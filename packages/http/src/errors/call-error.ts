import { FieldmeshError } from "@fieldmesh/core";

/**
 * What a failed call may have done at the server.
 *
 * - `not_sent`: nothing was sent (bad input, DNS, connection rejected, TLS, aborted before sending); safe to send again.
 * - `rejected`: the server said no (307, 308, 4xx; any 3xx to a GET); nothing was done.
 * - `unknown`: the request may have been carried out (5xx, 300 to 306, reset, time-out, broken-off response, an earlier request with the
 *   same idempotency key that is still under way).
 * - `applied`: the server said yes, but its response could not be read; it was carried out.
 */
export type Outcome = "not_sent" | "rejected" | "unknown" | "applied";

/** One request of a call, and what became of it. */
export interface Attempt {
  /** Counted from 1. */
  readonly number: number;
  /** The HTTP status, or `undefined` when no response came. */
  readonly status: number | undefined;
  /** What went wrong below HTTP, such as `ECONNRESET`, or `undefined` when a response came. */
  readonly failure: string | undefined;
  /** How long it took, in milliseconds. */
  readonly duration: number;
  /** How long the client waited before the next attempt, in milliseconds; `undefined` when there was none. */
  readonly wait: number | undefined;
  /** Why there was, or was not, a next attempt. */
  readonly reason: string;
}

/** What every error of a call knows of it. */
export interface CallFacts {
  /** The method that was called, such as `labels.get`. */
  readonly call: string;
  /** The route as the contract writes it, such as `GET /api/v1/labels/:label_id`: never a URL. */
  readonly route: string;
  /** What the call may have done at the server. */
  readonly outcome: Outcome;
  /** Every request of the call, in order. Empty when nothing was sent. */
  readonly attempts: readonly Attempt[];
}

/** The base of all errors of a call: the message says what was attempted, what happened and what to do. */
export class CallError extends FieldmeshError implements CallFacts {
  readonly call: string;
  readonly route: string;
  readonly outcome: Outcome;
  readonly attempts: readonly Attempt[];

  static {
    this.prototype.name = "CallError";
  }

  /** A `cause` is not enumerable, as every cause: it is the caller's own and may hold anything. */
  constructor(facts: CallFacts, happened: string, advice: string, options?: ErrorOptions) {
    super(`${facts.call} (${facts.route}) ${happened} ${advice}`, options);
    this.call = facts.call;
    this.route = facts.route;
    this.outcome = facts.outcome;
    this.attempts = facts.attempts;
  }
}
