import type { Clock } from "./clock.ts";
import { ENDED } from "./within.ts";

/** A claimed lease, and how it is kept. */
export interface LeaseRules {
  /** Asks the store for another `duration`. Resolves with `false` if the lease has another holder. */
  readonly extend: () => Promise<boolean>;
  /** The length of each extension in milliseconds. */
  readonly duration: number;
  /** When the lease of the claim ends, by the clock: its duration, counted from before the request. */
  readonly endsAt: number;
  readonly clock: Clock;
  /** Milliseconds at the end of the lease in which it counts as lost, because clocks and timers are not exact. @default 0 */
  readonly reserve?: number;
  /** Milliseconds between a failed extension and the next one. @default a third of the duration */
  readonly retryAfter?: number;
  /** Aborts when the lease is lost. */
  readonly lost: AbortController;
  /** Creates the reason for that. */
  readonly reason: () => unknown;
}

/** A lease that is extended until `end` is called. */
export interface KeptLease {
  /** Returns the milliseconds until the lease counts as lost. */
  readonly timeLeft: () => number;
  /** Treats the lease as lost. */
  readonly lose: () => void;
  /** Stops the extensions. The lease cannot be lost after that. */
  readonly end: () => void;
}

/** Two extensions may fail before the lease ends. */
const EXTENSIONS_PER_LEASE = 3;

/**
 * Extends a lease while its work runs, and aborts `lost` when another process may have the lease.
 *
 * A failed extension does not lose the lease yet: it lasts until the time that the last successful extension set.
 */
export function keepLease(rules: LeaseRules): KeptLease {
  const { extend, duration, clock, reserve = 0, lost, reason } = rules;
  const third = duration / EXTENSIONS_PER_LEASE;
  const { retryAfter = third } = rules;
  const ended = new AbortController();
  let { endsAt } = rules;
  // Not read from the signal, which Node creates on first use.
  let isLost = false;

  const timeLeft = (): number => (isLost ? 0 : endsAt - reserve - clock.now());
  const lose = (): void => {
    if (ended.signal.aborted) return;
    isLost = true;
    lost.abort(reason());
  };
  async function keep(): Promise<void> {
    let wait = third;
    for (;;) {
      await clock.sleep(Math.min(wait, timeLeft()), ended.signal);
      if (timeLeft() <= 0) return lose();
      const askedAt = clock.now();
      const isOurs = await Promise.race([
        // A store that is unreachable now may recover before the lease ends.
        extend().catch(() => undefined),
        // A client whose connection is lost may never respond.
        clock.sleep(endsAt - askedAt, ended.signal).then(() => false),
      ]);
      if (isOurs === false) return lose();
      if (isOurs === true) endsAt = askedAt + duration;
      wait = isOurs === true ? third : retryAfter;
    }
  }
  // It rejects only when `end` ends its sleep.
  keep().catch(() => {});
  return { timeLeft, lose, end: () => ended.abort(ENDED) };
}
