import { keepLease, monotonicClock, within, digestOf } from "@fieldmesh/core/internal";
import type { CheckedLease } from "./lease-types.ts";
import type { BulkTarget } from "./checkpoint.ts";
import type { PendingItem, Verb } from "./run-parts.ts";

/** Why a run has no lease. */
export class NoLease extends Error {
  readonly heldSince: Date | undefined;
  readonly heldUntil: Date | undefined;
  readonly unclaimed: string | undefined;

  constructor(
    why: Partial<Pick<NoLease, "heldSince" | "heldUntil" | "unclaimed">>,
    options?: ErrorOptions,
  ) {
    super("the run has no lease", options);
    this.heldSince = why.heldSince;
    this.heldUntil = why.heldUntil;
    this.unclaimed = why.unclaimed;
  }
}

/** What is kept of the lease when the last request must have ended: clocks and timers are not exact. */
const RESERVE = 1_000;
/** How long an extension that failed is not tried again. */
const RETRY_AFTER = 500;
const LONGEST_WAIT = 10_000;

/** Claims the lease of a run, and extends it. `lost` is aborted with a NoLease once the run must send nothing more. */
export async function takeLease(
  { id, store, duration }: CheckedLease & { readonly id: string },
  lost: AbortController,
) {
  const token = crypto.randomUUID();
  // A hung request must leave time for another one before the lease ends.
  const limit = Math.min(LONGEST_WAIT, duration / 3);
  // In the time of the monotonic clock, which nobody sets. Counted from before the request to the store.
  const endsAt = monotonicClock.now() + duration;
  const ask = () => store.claim(id, token, duration);
  // If it is claimed too late, nobody could claim it until it ends.
  const release = () => store.release(id, token);
  const claim = await within(limit, ask, HANGS, release).catch((cause: unknown) => {
    throw new NoLease({ unclaimed: "the store of the lease failed, see `cause`" }, { cause });
  });
  if (claim.status === "in_progress") {
    const { endsIn, heldFor } = claim;
    const now = Date.now();
    // A store of the caller may return anything.
    const heldSince = Number.isFinite(heldFor) ? new Date(now - Number(heldFor)) : undefined;
    throw new NoLease({ heldSince, heldUntil: new Date(now + endsIn) });
  }
  if (claim.status === "done")
    throw new NoLease({ unclaimed: "the store says that the work of this lease is done" });
  if (claim.status !== "claimed")
    throw new NoLease({ unclaimed: "the store of the lease returned something else than a claim" });

  let extending: Promise<boolean> | undefined;
  const extend = (): Promise<boolean> => store.extend(id, token, duration);
  const lease = keepLease({
    extend: () => (extending = within(limit, extend, HANGS)),
    duration,
    endsAt,
    clock: monotonicClock,
    reserve: RESERVE,
    retryAfter: RETRY_AFTER,
    lost,
    reason: () => new NoLease({}),
  });
  return {
    /** Another run may have sent requests before. */
    hadOwner: claim.attempt > 1,
    timeLeft: lease.timeLeft,
    reject: lease.lose,
    /** Extends the lease no more, and ends it unless it was lost. After a run that was interrupted, the next one looks up its devices. */
    async end(isFinished: boolean): Promise<void> {
      lease.end();
      await Promise.allSettled([extending]);
      if (lost.signal.aborted) return;
      // A lease that cannot be released ends by itself.
      const end = isFinished ? () => store.forget(id, token) : release;
      await within(limit, end, HANGS).catch(() => undefined);
    },
  };
}

const HANGS = "The store of the lease did not settle in time.";

/** Inputs in one hash. Another number makes other ids. */
const BLOCK = 1_000;

/** Identifies work by its content: two runs of one list at the same place have the same id, whatever their chunkSize. */
export async function leaseIdOf<Item extends PendingItem>(
  { method, readInput }: Pick<Verb<Item>, "method" | "readInput">,
  inputs: AsyncIterable<unknown>,
  { server, organization }: BulkTarget,
): Promise<string> {
  let id = await digestOf("SHA-256", JSON.stringify([method, server, organization]));
  let block: string[] = [];
  const add = async (): Promise<void> => {
    id = await digestOf("SHA-256", JSON.stringify([id, ...block]));
    block = [];
  };
  let index = 0;
  for await (const input of inputs) {
    const read = readInput(input, index++);
    block.push("status" in read ? "invalid" : read.content);
    if (block.length === BLOCK) await add();
  }
  await add();
  return id;
}
