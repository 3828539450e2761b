import type { Clock } from "@fieldmesh/core";

/** A lease that is extended until it is ended. */
export interface KeptLease {
  /** Aborts when the lease is lost. */
  readonly signal: AbortSignal;
  readonly isLost: boolean;
  end(): void;
}

/** Two extensions may fail before the lease is over. */
const EXTENSIONS_PER_LEASE = 3;

/**
 * Extends a lease while its handlers run, and aborts the signal when somebody else may have it.
 *
 * An extension that fails is not yet a loss: the lease lasts until the time that the last good one gave it.
 */
export function keepLease(
  extend: () => Promise<boolean>,
  { lease, clock }: { readonly lease: number; readonly clock: Clock },
): KeptLease {
  const kept = new AbortController();
  const ended = new AbortController();
  let endsAt = clock.now() + lease;

  const beat = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(lease / EXTENSIONS_PER_LEASE, ended.signal);
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
  const lose = () =>
    kept.abort(
      new DOMException("The lease of this event is lost; another one may have it.", "AbortError"),
    );
  // Only the end of the lease makes it reject.
  beat().catch(() => {});

  return {
    signal: kept.signal,
    get isLost() {
      return kept.signal.aborted;
    },
    end: () => ended.abort(),
  };
}
