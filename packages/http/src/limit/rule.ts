/** One reason why a request may have to wait. Times are those of a clock that never goes back. */
export interface Rule {
  /** Requests that are allowed within a window, if that is known. */
  limit(now: number): number | undefined;
  /** How many more requests may be sent now, beside those that have no response yet. */
  room(now: number, inFlight: number): number;
  /** Milliseconds until there may be room again, as far as time alone decides; 0 where there is some. */
  untilRoom(now: number, inFlight: number): number;
  /** Milliseconds between requests that are spread over the window. */
  pace(now: number, inFlight: number): number;
  /** Records a request that has ended, with its response if it had one. */
  ended(response: RuledResponse | undefined, now: number): void;
}

/** What is read of a response. */
export interface RuledResponse {
  readonly status: number;
  readonly headers: Headers;
}

export const TOO_MANY_REQUESTS = 429;
/** The limits that were seen are per minute. (observed) */
export const MINUTE = 60_000;
