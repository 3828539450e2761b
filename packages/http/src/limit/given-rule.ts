import { TOO_MANY_REQUESTS, type Rule } from "./rule.ts";
import { createSentCount } from "./sent-count.ts";

/**
 * A limit that is known. A request counts while it is in flight and for a window after its response: whenever the service begins its
 * windows, and however long a request is on its way, it sees no more than the limit in one of them.
 */
export function givenRule(limit: number, window: number): Rule {
  const sent = createSentCount(window);
  const room = (now: number, inFlight: number): number => limit - sent.within(now) - inFlight;
  return {
    limit: () => limit,
    room,
    untilRoom: (now, inFlight) => (room(now, inFlight) < 1 ? sent.untilFree(now) : 0),
    pace: () => window / limit,
    ended(response, now) {
      if (response?.status !== TOO_MANY_REQUESTS) sent.add(now);
    },
  };
}
