import { createPermits, type Permits } from "./permits.ts";
import { givenRule } from "./given-rule.ts";
import { headersRule } from "./headers-rule.ts";
import type { Places } from "./places.ts";
import { MINUTE } from "./rule.ts";
import { createSharedPermits } from "./shared-permits.ts";
import type { KnownRateLimit, RateLimitOption, RateLimitState } from "./rate-limit-option.ts";

export type RateLimits = ReturnType<typeof createRateLimits>;

interface Owner {
  readonly countsWritesApart: boolean;
  /** Returns the base URL and the credential. Their hash names the limit that processes share. */
  readonly readOwner: () => string;
  readonly places?: Places | undefined;
}

/** Keeps a client below the limits of its service. `writes`, for every method but GET, may have the permits of `reads`. */
export function createRateLimits(option: RateLimitOption, owner: Owner) {
  const [reads, writes] = createBoth(option, owner);
  const state = (): RateLimitState => ({ reads: reads.state(), writes: writes.state() });
  return { reads, writes, state };
}

function createBoth(
  option: RateLimitOption,
  { countsWritesApart, readOwner, places }: Owner,
): readonly [reads: Permits, writes: Permits] {
  if (option === undefined || option === false) {
    const create = (): Permits =>
      createPermits({ rules: option === false ? [] : [headersRule()], places });
    const both = create();
    return [both, countsWritesApart ? create() : both];
  }
  const limits: KnownRateLimit = typeof option === "number" ? { requests: option } : option;
  const { window = MINUTE, shared } = limits;
  const create = (kind: string, limit: number): Permits =>
    createPermits({
      rules: [givenRule(limit, window), headersRule()],
      source: "option",
      places,
      shared: shared && createSharedPermits(shared, { readOwner, kind, limit, window }),
    });
  if ("reads" in limits) return [create("reads", limits.reads), create("writes", limits.writes)];
  const all = create("requests", limits.requests);
  return [all, all];
}
