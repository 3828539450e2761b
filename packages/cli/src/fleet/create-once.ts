import { setTimeout as sleep } from "node:timers/promises";
import { isCallError } from "@fieldmesh/console-client";

export interface Creation<T> {
  readonly create: () => Promise<unknown>;
  /** Looks whether it is there. */
  readonly find: () => Promise<T | undefined>;
  /** Milliseconds after which the console shows what a broken request has done. */
  readonly settleTime: number | undefined;
  readonly signal: AbortSignal;
}

const SETTLE_TIME = 5_000;
const MAX_ATTEMPTS = 5;
/** As many lists must agree that it is not there. */
const LOOKS = 2;

/**
 * Creates something once, also where responses get lost: what a broken request may have created is looked for before it is sent again.
 */
export async function createOnce<T>(creation: Creation<T>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await creation.create();
      return;
    } catch (error) {
      if (!isCallError(error) || error.outcome === "not_sent" || attempt === MAX_ATTEMPTS)
        throw error;
      const isFirst = attempt === 1;
      // The second request of two is rejected where the first was carried out.
      if (error.outcome === "rejected" && isFirst) throw error;
      if (await isThere(creation)) return;
      if (error.outcome === "rejected") throw error;
    }
  }
}

async function isThere<T>({ find, settleTime, signal }: Creation<T>): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    await sleep(settleTime ?? SETTLE_TIME, undefined, { signal });
    if ((await find()) !== undefined) return true;
  }
  return false;
}
