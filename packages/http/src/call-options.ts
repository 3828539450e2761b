/** What one call may set: the last argument of every method. */
export interface CallOptions {
  /** Ends the call in any phase, also while it waits to try again; the call rejects with an `AbortError`. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, its body included. Overrides the client's. */
  timeout?: number | undefined;
  /** Milliseconds for the whole call, waits and retries included. Overrides the client's. */
  totalTimeout?: number | undefined;
  /** Headers for this call, over the client's. The credential's header cannot be set here. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of a call that creates or changes something under an idempotency key. */
export interface IdempotentCallOptions extends CallOptions {
  /**
   * The key under which the server recognises the call, kept over all attempts. Give your own to repeat a call in
   * another process; without one a new UUID is used for each call.
   */
  idempotencyKey?: string | undefined;
}
