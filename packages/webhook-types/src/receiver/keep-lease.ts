import type { Clock } from "@fieldmesh/core";

/** A lease that is extended, once that has begun, until it is ended. */
export interface KeptLease {
  /** Aborts when the lease is lost. */
  readonly signal: AbortSignal;
  begin(): void;
  end(): void;
}

interface LeaseTimes {
  /** How many milliseconds each extension gives. */
  readonly lease: number;
  /** When the lease ends that the claim gave. */
  readonly claimedUntil: number;
  readonly clock: Clock;
}

/** Two extensions may fail before the lease is over. */
const EXTENSIONS_PER_LEASE = 3;

/**
 * Extends a lease while its handlers run, and aborts the signal when somebody else may have it.
 *
 * An extension that fails is not yet a loss: the lease lasts until the time that the last good one gave it. Timer and
 * signal are made when they are needed: for a handler that ends at once they would cost more than all the rest.
 */
export function keepLease(
  extend: () => Promise<boolean>,
  { lease, clock, claimedUntil }: LeaseTimes,
): KeptLease {
  let endsAt = claimedUntil;
  let kept: AbortController | undefined;
  let ended: AbortController | undefined;

  const ask = async (): Promise<boolean> => extend();
  const beat = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await clock.sleep(lease / EXTENSIONS_PER_LEASE, signal);
      const asked = clock.now();
      // A client whose connection is gone may never answer.
      const over = clock.sleep(endsAt - asked, signal).then(() => false);
      // A store that cannot be reached now may come back until the lease is over.
      const isMine = await Promise.race([ask().catch(() => undefined), over]);
      if (isMine === true) endsAt = asked + lease;
      if (isMine === false || clock.now() >= endsAt) return lose();
    }
  };
  const controller = () => (kept ??= new AbortController());
  const lose = () =>
    controller().abort(
      new DOMException("The lease of this event is lost; another one may have it.", "AbortError"),
    );

  return {
    get signal() {
      return controller().signal;
    },
    begin: () => {
      ended = new AbortController();
      // Only the end of the lease makes it reject.
      beat(ended.signal).catch(() => {});
    },
    end: () => ended?.abort(),
  };
}
