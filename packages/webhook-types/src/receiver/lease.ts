import type { Clock } from "@fieldmesh/core";

interface LeaseOptions {
  /** Asks the store for another `duration`. Resolves with `false` if another process has the event. */
  readonly extend: () => Promise<boolean>;
  /** The length of each extension in milliseconds. */
  readonly duration: number;
  /** When the lease of the claim ends. */
  readonly claimedUntil: number;
  readonly clock: Clock;
}

/** A lease that is extended until `end` is called. */
export interface Lease {
  /** Aborts when the lease is lost. */
  readonly signal: AbortSignal;
  readonly end: () => void;
}

/** Two extensions may fail before the lease ends. */
const EXTENSIONS_PER_LEASE = 3;

/**
 * Extends a lease while its handlers run, and aborts the signal when another process may have the event.
 *
 * A failed extension does not lose the lease yet: it lasts until the time that the last successful extension set.
 */
export function keepLease({ extend, duration, claimedUntil, clock }: LeaseOptions): Lease {
  const lost = new AbortController();
  const ended = new AbortController();
  let endsAt = claimedUntil;

  const keep = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(duration / EXTENSIONS_PER_LEASE, ended.signal);
      const askedAt = clock.now();
      const isMine = await Promise.race([
        // A store that is unreachable now may recover before the lease ends.
        extend().catch(() => undefined),
        // A client whose connection is lost may never respond.
        clock.sleep(endsAt - askedAt, ended.signal).then(() => false),
      ]);
      if (isMine === true) endsAt = askedAt + duration;
      if (isMine === false || clock.now() >= endsAt) return lost.abort(lossReason());
    }
  };
  // It rejects only when `end` ends its sleep.
  keep().catch(() => {});
  return { signal: lost.signal, end: () => ended.abort() };
}

function lossReason(): DOMException {
  return new DOMException(
    "The lease of this event is lost: another process may have it.",
    "AbortError",
  );
}

let processName: string | undefined;
let claims = 0;

/** Different for every claim of every process. A UUID for each would take as long as a claim in memory. */
export function newToken(): string {
  processName ??= crypto.randomUUID();
  claims += 1;
  return `${processName}:${claims}`;
}
