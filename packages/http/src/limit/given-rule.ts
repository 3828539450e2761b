import { STATUS } from "../errors/statuses.ts";
import type { Rule } from "./rule.ts";
import { createSentCount } from "./sent-count.ts";

/** A known limit. A request counts until a whole window after its response, however the service aligns its windows. */
export function givenRule(limit: number, window: number): Rule {
  const sent = createSentCount(window);
  const free = (now: number, inUse: number): number => limit - sent.within(now) - inUse;
  return {
    limit: () => limit,
    free,
    untilFree: (now, inUse) => (free(now, inUse) < 1 ? sent.untilFree(now) : 0),
    interval: () => window / limit,
    ended(response, now) {
      if (response?.status !== STATUS.tooManyRequests) sent.add(now);
    },
  };
}
