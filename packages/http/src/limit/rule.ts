/** A reason why a request may have to wait. All times are from a clock that never goes backwards. */
export interface Rule {
  /** The requests that are allowed within a window, if known. */
  limit(now: number): number | undefined;
  /** How many more requests may be sent now, besides those in flight. */
  room(now: number, inFlight: number): number;
  /** Milliseconds until there may be room again, as far as time alone decides. 0 if there is room now. */
  untilRoom(now: number, inFlight: number): number;
  /** Milliseconds between requests that are spread over the window. */
  pace(now: number, inFlight: number): number;
  /** Records a request that has ended, with its response if one arrived. */
  ended(response: RuledResponse | undefined, now: number): void;
}

/** The part of a response that rules read. */
export interface RuledResponse {
  readonly status: number;
  readonly headers: Headers;
}

export const TOO_MANY_REQUESTS = 429;
/** The observed limits are per minute. (observed) */
export const MINUTE = 60_000;
