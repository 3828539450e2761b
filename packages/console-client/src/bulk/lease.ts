import { monotonicClock, within } from "@fieldmesh/core";
import type { Fence } from "@fieldmesh/http";
import type { CheckedLease } from "./lease-types.ts";

/** The lease of a run while it lasts. */
export interface HeldLease extends Fence {
  /** Another run may have sent requests before. */
  readonly hadOwner: boolean;
  /** Extends the lease no more, and releases it unless it was lost. */
  readonly end: () => Promise<void>;
}

/** Why a run has no lease. */
export class NoLease extends Error {
  readonly heldUntil: Date | undefined;
  readonly unclaimed: string | undefined;

  constructor(
    why: { readonly heldUntil?: Date; readonly unclaimed?: string },
    options: ErrorOptions = {},
  ) {
    super("the run has no lease", options);
    this.heldUntil = why.heldUntil;
    this.unclaimed = why.unclaimed;
  }
}

/** What is kept of the lease when the last request must have ended: clocks and timers are not exact. */
const RESERVE = 1_000;
const LONGEST_WAIT = 10_000;
const EXTENDS_EACH = 3;

/** Claims the lease of a run, and extends it. `lost` is aborted with a NoLease once the run must send nothing more. */
export async function takeLease(
  { id, store, duration }: CheckedLease,
  lost: AbortController,
): Promise<HeldLease> {
  const token = crypto.randomUUID();
  const limit = Math.min(LONGEST_WAIT, duration / EXTENDS_EACH);
  const ended = new AbortController();
  /** In the time of the monotonic clock, which nobody sets. Counted from before the request to the store. */
  let end = monotonicClock.now() + duration;
  const ask = () => store.claim(id, token, duration);
  // If it is claimed too late, nobody could claim it until it ends.
  const undo = () => store.release(id, token);
  const claim = await within(limit, ask, HANGS, undo).catch((cause: unknown) => {
    throw new NoLease({ unclaimed: "the store of the lease failed, see `cause`" }, { cause });
  });
  if (claim.status === "in_progress")
    throw new NoLease({ heldUntil: new Date(Date.now() + claim.endsIn) });
  if (claim.status === "done")
    throw new NoLease({ unclaimed: "the store says that the work of this lease is done" });
  if (claim.status !== "claimed")
    throw new NoLease({ unclaimed: "the store of the lease returned something else than a claim" });

  const timeLeft = (): number => (lost.signal.aborted ? 0 : end - RESERVE - monotonicClock.now());
  const lose = (): void => {
    if (!ended.signal.aborted) lost.abort(new NoLease({}));
  };

  async function keepExtending(): Promise<void> {
    let wait = duration / EXTENDS_EACH;
    for (;;) {
      await monotonicClock.sleep(Math.min(wait, timeLeft()), ended.signal);
      if (timeLeft() <= 0) return lose();
      const from = monotonicClock.now();
      try {
        const isOurs = await within(limit, () => store.extend(id, token, duration), HANGS);
        if (!isOurs) return lose();
        end = from + duration;
        wait = duration / EXTENDS_EACH;
      } catch {
        // The store may work again before the lease ends.
        wait = RETRY_AFTER;
      }
    }
  }
  const extending = keepExtending().catch(() => undefined);

  return {
    hadOwner: claim.attempt > 1,
    timeLeft,
    reject: lose,
    async end() {
      ended.abort();
      await extending;
      if (lost.signal.aborted) return;
      // A lease that cannot be released ends by itself.
      await within(limit, () => store.release(id, token), HANGS).catch(() => undefined);
    },
  };
}

const HANGS = "The store of the lease did not settle in time.";
const RETRY_AFTER = 500;
