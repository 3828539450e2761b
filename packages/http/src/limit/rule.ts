import type { RawResponse } from "../wire/read-body.ts";

/** A reason why a request may have to wait for a permit. All times are from a clock that never goes backwards. */
export interface Rule {
  /** The requests that are allowed within a window, if known. */
  limit(now: number): number | undefined;
  /** How many more permits are free now, besides those in use. */
  free(now: number, inUse: number): number;
  /** Milliseconds until a permit may be free again, as far as time alone decides. 0 if one is free now. */
  untilFree(now: number, inUse: number): number;
  /** Milliseconds between requests that are spread over the window. */
  interval(now: number, inUse: number): number;
  /** Records a request that has ended, with its response if one arrived. */
  ended(response: RuledResponse | undefined, now: number): void;
}

/** The part of a response that rules read. */
export type RuledResponse = Pick<RawResponse, "status" | "headers">;

/** The observed limits are per minute. (observed) */
export const MINUTE = 60_000;
