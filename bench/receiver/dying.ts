// Kills this process at a point of a delivery that its parent has named.
import type { Inbox } from "@fieldmesh/webhook-types/receiver";
import type { Point } from "./kill-points.ts";

let armed: Point | undefined;
process.on("message", (point: Point) => {
  armed = point;
});

/** Kills the process if it was told to die at this point. */
export function reach(point: Point): void {
  if (armed === point) process.kill(process.pid, "SIGKILL");
}

export function dyingInbox(real: Inbox): Inbox {
  return {
    ...real,
    run: async (id, work, options) => {
      reach("before claim");
      const outcome = await real.run(
        id,
        async (transaction) => {
          reach("after claim");
          await work(transaction);
        },
        options,
      );
      reach("after complete");
      return outcome;
    },
  };
}
