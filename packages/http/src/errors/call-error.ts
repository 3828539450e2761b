// Why it is so: docs/decisions/03-errors-cover-three-questions.md
import { FieldmeshError } from "@fieldmesh/core";

/**
 * What a failed call may have done at the server.
 *
 * - `not_sent`: no request was sent (invalid input, DNS, connection rejected, TLS, aborted before sending). Safe to send again.
 * - `rejected`: the server rejected the request (307, 308, 4xx; any 3xx to a GET). Nothing was done.
 * - `unknown`: the request may have been carried out (5xx, 300 to 306, reset, timeout, incomplete response, an earlier request
 *   with the same idempotency key still in progress).
 * - `applied`: the server reported a success, but its response could not be read. The request was carried out.
 */
export type Outcome = "not_sent" | "rejected" | "unknown" | "applied";

/** One request of a call and its result. */
export interface Attempt {
  /** Starts at 1. */
  readonly number: number;
  /** The HTTP status, or `undefined` if no response arrived. A response whose body broke off has a status and a failure. */
  readonly status: number | undefined;
  /** What failed below HTTP, such as `ECONNRESET`, or `undefined` if a whole response arrived. */
  readonly failure: string | undefined;
  /** The duration in milliseconds. */
  readonly duration: number;
  /**
   * How long the client waits at least before the next attempt, in milliseconds: the rate limit may make it wait longer. `undefined`
   * if there was no next attempt.
   */
  readonly wait: number | undefined;
  /** Why there was a next attempt, or why not. */
  readonly reason: string;
}

/** The facts that every error of a call has. */
export interface CallContext {
  /** The method that was called, such as `labels.get`. */
  readonly call: string;
  /** The route of the contract, such as `GET /api/v1/labels/:label_id`. Never a URL. */
  readonly route: string;
  /** What the call may have done at the server. */
  readonly outcome: Outcome;
  /** Every request of the call, in order. Empty if none was sent. */
  readonly attempts: readonly Attempt[];
  /** The number of records that the call had returned before it failed. Only a method that returns them one by one has it. */
  readonly recordsRead?: number | undefined;
}

/** Names a call in its errors and its drift. */
export type CallName = Pick<CallContext, "call" | "route">;

/**
 * The base of all errors of a call. The message says what was attempted, what happened and what to do.
 *
 * @example
 * ```ts
 * if (error instanceof CallError && error.outcome === "not_sent") await again();
 * ```
 */
export class CallError extends FieldmeshError implements CallContext {
  readonly call: string;
  readonly route: string;
  readonly outcome: Outcome;
  readonly attempts: readonly Attempt[];
  declare readonly recordsRead?: number | undefined;

  protected static override readonly errorName: string = "CallError";

  /** As with every error, `cause` is not enumerable: it comes from user code or the runtime and may contain anything. */
  constructor(context: CallContext, happened: string, advice: string, options?: ErrorOptions) {
    const { recordsRead } = context;
    const read =
      recordsRead === undefined
        ? ""
        : ` Records read until then: ${recordsRead}; another call begins at the first one.`;
    super(`${context.call} (${context.route}) ${happened}${read} ${advice}`, options);
    this.call = context.call;
    this.route = context.route;
    this.outcome = context.outcome;
    this.attempts = context.attempts;
    if (recordsRead !== undefined) this.recordsRead = recordsRead;
  }
}
