import { setTimeout as sleep } from "node:timers/promises";
import { CallError, mayBeAtWork } from "@fieldmesh/http/internal";
import type { Context } from "../../context.ts";
import { CliError, exitCodes } from "../../exit-codes.ts";
import { CREATION, SKEW } from "./time-limits.ts";

export interface Creation<T> {
  readonly context: Pick<Context, "signal"> & Partial<Pick<Context, "output">>;
  /** Such as `the label "Pumps"`. Omit it if the server rejects a second one, so that a request can always be repeated. */
  readonly what?: string;
  readonly create: (how: { signal: AbortSignal; totalTimeout: number }) => Promise<unknown>;
  /** Looks it up. */
  readonly find: () => Promise<T | undefined>;
  /** The time after which the console shows the result of a broken request, in milliseconds. */
  readonly settleTime: number | undefined;
  /** Another process may create it at the same time, which is as good. */
  readonly orExists?: boolean;
  /** Keeps what is being created for the next run. */
  readonly state?: {
    readonly now: { readonly creation?: PendingCreation | undefined };
    keep(part: { creation: PendingCreation | undefined }): Promise<void>;
  };
}

/** A request whose result is not known yet. */
export interface PendingCreation {
  readonly what: string;
  /** When it has certainly ended by its own time limit, in milliseconds since 1970. */
  readonly until: number;
}

const SETTLE_TIME = 5_000;
const MAX_ATTEMPTS = 5;
/** The number of lists that must agree that it is missing. */
const LOOKS = 2;

/**
 * Creates something once: looks for the result of a broken request first. The console may still be at work on a request that timed
 * out, also in a proxy, or whose run was stopped: what the list does not show then is not created again before the user has
 * looked. `exists` means that another process created it.
 */
export async function createOnce<T>(creation: Creation<T>): Promise<"created" | "exists"> {
  const { context, what, state, orExists } = creation;
  const { signal } = context;
  const keep = async (creating?: PendingCreation): Promise<void> =>
    await state?.keep({ creation: creating });
  const earlier = state?.now.creation;
  if (earlier !== undefined && earlier.what === what) {
    await waitUntil(earlier, context);
    const isCreated = await isThere(creation);
    await keep();
    if (isCreated) return "created";
    throw notShown(what);
  }
  for (let attempt = 1; ; attempt++) {
    if (what !== undefined) await keep({ what, until: Date.now() + CREATION });
    try {
      await creation.create({ signal, totalTimeout: CREATION });
      await keep();
      return "created";
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const { outcome } = error;
      if (outcome === "not_sent" || outcome === "rejected") await keep();
      if (outcome === "not_sent" || attempt === MAX_ATTEMPTS) throw error;
      // If the first request was carried out, a second one is rejected.
      if (outcome === "rejected" && attempt === 1) {
        if (orExists === true && (await creation.find()) !== undefined) return "exists";
        throw error;
      }
      const isCreated = await isThere(creation);
      const mayFollow = what !== undefined && mayBeAtWork(error);
      if (isCreated || mayFollow) await keep();
      if (isCreated) return "created";
      if (mayFollow) throw notShown(what);
      if (outcome === "rejected") throw error;
    }
  }
}

/** Waits until a request of an earlier run has ended. A clock that was wrong may have written any time. */
async function waitUntil(
  { what, until }: PendingCreation,
  { output, signal }: Creation<unknown>["context"],
): Promise<void> {
  const wait = Math.min(until - Date.now(), CREATION) + SKEW;
  if (wait <= 0) return;
  output?.note(
    `Waiting for ${Math.ceil(wait / 1_000)} seconds: the console may still be at work on the request that creates ${what}.`,
  );
  await sleep(wait, undefined, { signal });
}

async function isThere<T>({
  find,
  settleTime,
  context: { signal },
}: Creation<T>): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    await sleep(settleTime ?? SETTLE_TIME, undefined, { signal });
    if ((await find()) !== undefined) return true;
  }
  return false;
}

function notShown(what: string): CliError {
  return new CliError(
    `It is not known whether ${what} was created: its request had no response, and the console does not show it. Look for it in the console, and then run the same command again, which creates it if it is not there.`,
    exitCodes.unknown,
  );
}
