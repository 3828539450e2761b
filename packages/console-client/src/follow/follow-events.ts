import { createFollower } from "@fieldmesh/http/internal/pager";
import type { EventFollower, FollowEventsOptions, FollowTarget } from "./follow-types.ts";
import type { Watched } from "./watch-events.ts";

const FACTS = { call: "devices.follow", route: "GET /api/v1/devices/:device_id/events" };

const OWN_OPTIONS: readonly (keyof FollowEventsOptions)[] = ["from", "checkpoint", "onGap"];

/** Creates a follower. It sends nothing before the first `next()`. */
export function followEvents(
  target: FollowTarget,
  input: { device_id: string },
  options: FollowEventsOptions = {},
): EventFollower {
  let watched: Watched | undefined;
  const follower = createFollower(followEvents, FACTS, options, OWN_OPTIONS, (call, clock) => ({
    take: () => watched?.take(),
    async read() {
      watched ??= (await import("./watch-events.ts")).watchEvents(target, input, {
        ...options,
        facts: FACTS,
        call,
        clock,
      });
      await watched.read();
      // A busy device is not read faster than `minWait` allows.
      return false;
    },
    wait: () => watched?.wait() ?? 0,
  }));
  return Object.assign(follower as EventFollower, {
    checkpoint: () => (watched === undefined ? options.checkpoint : watched.checkpoint()),
  });
}
