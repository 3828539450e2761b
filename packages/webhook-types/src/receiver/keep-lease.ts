import type { Clock } from "@fieldmesh/core";

/** A lease that is extended, once that has begun, until it is ended. */
export interface KeptLease {
  /** Aborts when the lease is lost. */
  readonly signal: AbortSignal;
  begin(): void;
  end(): void;
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
  { lease, clock }: { readonly lease: number; readonly clock: Clock },
): KeptLease {
  let endsAt = clock.now() + lease;
  let kept: AbortController | undefined;
  let ended: AbortController | undefined;

  const beat = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await clock.sleep(lease / EXTENSIONS_PER_LEASE, signal);
      const asked = clock.now();
      try {
        if (!(await extend())) return lose();
        endsAt = asked + lease;
      } catch {
        // The store cannot be reached now; until the lease is over it may come back.
      }
      if (clock.now() >= endsAt) return lose();
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
