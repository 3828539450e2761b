import { setTimeout as sleep } from "node:timers/promises";
import type { Context, World } from "./row.ts";
import { respondWell, startOrigin, type Origin } from "./origin.ts";

/** An address without a server. */
export function nowhere(url: string): () => Promise<World> {
  return async () => ({ url, requests: () => 0, async [Symbol.asyncDispose]() {} });
}

// Below the ports that systems assign, so that no other server of the gauntlet gets one of these.
const [FIRST_PORT, LAST_PORT] = [20_000, 24_999];
// Separate from the others: a call to a closed port must not reach the late server of another row.
const [FIRST_LATE_PORT, LAST_LATE_PORT] = [25_000, 29_999];

/** Returns a closed port on loopback. */
export function nobody({ chance }: Context): Promise<World> {
  return nowhere(`http://127.0.0.1:${chance.int(FIRST_PORT, LAST_PORT)}`)();
}

/** A server that starts a moment after the call. */
export async function lateServer({ chance }: Context): Promise<World> {
  const port = chance.int(FIRST_LATE_PORT, LAST_LATE_PORT);
  let origin: Origin | undefined;
  const started = sleep(chance.int(5, 60)).then(async () => {
    origin = await startOrigin(respondWell, { port });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => origin?.requests() ?? 0,
    async [Symbol.asyncDispose]() {
      await started;
      await origin?.[Symbol.asyncDispose]();
    },
  };
}
