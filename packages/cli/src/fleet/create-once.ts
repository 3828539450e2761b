import { setTimeout as sleep } from "node:timers/promises";
import { CallError } from "@fieldmesh/console-client";

export interface Creation<T> {
  readonly create: () => Promise<unknown>;
  /** Looks it up. */
  readonly find: () => Promise<T | undefined>;
  /** The time after which the console shows the result of a broken request, in milliseconds. */
  readonly settleTime: number | undefined;
  /** Another process may create it at the same time, which is as good. */
  readonly orExists?: boolean;
  readonly signal: AbortSignal;
}

const SETTLE_TIME = 5_000;
const MAX_ATTEMPTS = 5;
/** The number of lists that must agree that it is missing. */
const LOOKS = 2;

/** Creates something once: looks for the result of a broken request first. `exists` means that another process created it. */
export async function createOnce<T>(creation: Creation<T>): Promise<"created" | "exists"> {
  for (let attempt = 1; ; attempt++) {
    try {
      await creation.create();
      return "created";
    } catch (error) {
      if (!(error instanceof CallError) || error.outcome === "not_sent" || attempt === MAX_ATTEMPTS)
        throw error;
      const isFirst = attempt === 1;
      // If the first request was carried out, a second one is rejected.
      if (error.outcome === "rejected" && isFirst) {
        if (creation.orExists === true && (await creation.find()) !== undefined) return "exists";
        throw error;
      }
      if (await isThere(creation)) return "created";
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
