import type { Clock } from "@fieldmesh/core";
import type { EventContext, EventDelivery } from "../router/event-context.ts";

interface LeaseTimes {
  /** How many milliseconds each extension gives. */
  readonly lease: number;
  /** When the lease ends that the claim gave. */
  readonly claimedUntil: number;
  readonly clock: Clock;
}

/** Two extensions may fail before the lease is over. */
const EXTENSIONS_PER_LEASE = 3;
/** More promise jobs than a dispatch takes whose handlers wait for nothing, be they async or not. */
const JOBS_OF_A_QUICK_DISPATCH = 8;
/** What is chained to it is the next promise job. */
const SOON = Promise.resolve();

/**
 * Extends a lease while its handlers run, and aborts the signal when somebody else may have it.
 *
 * An extension that fails is not yet a loss: the lease lasts until the time that the last good one gave it. Timer and
 * signal are made when they are needed: for a handler that ends at once they would cost more than all the rest.
 */
export class KeptLease {
  readonly #extend: () => Promise<boolean>;
  readonly #times: LeaseTimes;
  #endsAt: number;
  #haveEnded = false;
  #beats: AbortController | undefined;
  #mine: AbortController | undefined;

  constructor(extend: () => Promise<boolean>, times: LeaseTimes) {
    this.#extend = extend;
    this.#times = times;
    this.#endsAt = times.claimedUntil;
  }

  /** Aborts when the lease is lost. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get #controller(): AbortController {
    return (this.#mine ??= new AbortController());
  }

  /** Extends it from now on until `end`, unless the handlers have ended within a few promise jobs. */
  begin(): void {
    this.#beginAfter(JOBS_OF_A_QUICK_DISPATCH);
  }

  /** Says that the handlers have ended: what has not begun by now need not begin. */
  handlersEnded(): void {
    this.#haveEnded = true;
  }

  end(): void {
    this.#beats?.abort();
  }

  #beginAfter(jobs: number): void {
    if (this.#haveEnded) return;
    if (jobs > 0) {
      void SOON.then(() => this.#beginAfter(jobs - 1));
      return;
    }
    this.#beats = new AbortController();
    // Only the end of the lease makes it reject.
    this.#beat(this.#beats.signal).catch(() => {});
  }

  async #beat(signal: AbortSignal): Promise<void> {
    const { lease, clock } = this.#times;
    for (;;) {
      await clock.sleep(lease / EXTENSIONS_PER_LEASE, signal);
      const asked = clock.now();
      // A client whose connection is gone may never answer.
      const over = clock.sleep(this.#endsAt - asked, signal).then(() => false);
      // A store that cannot be reached now may come back until the lease is over.
      const isMine = await Promise.race([this.#ask(), over]);
      if (isMine === true) this.#endsAt = asked + lease;
      if (isMine === false || clock.now() >= this.#endsAt) return this.#lose();
    }
  }

  /** `undefined` where the store cannot tell, in whatever way it says so. */
  async #ask(): Promise<boolean | undefined> {
    try {
      return await this.#extend();
    } catch {
      return undefined;
    }
  }

  #lose(): void {
    const message = "The lease of this event is lost; another one may have it.";
    this.#controller.abort(new DOMException(message, "AbortError"));
  }
}

/**
 * What the handlers of a leased event get.
 *
 * A class, because a getter in a literal makes V8 give every such object a shape of its own, which costs more than the
 * claim and lives until a full collection.
 */
export class LeasedContext implements EventContext {
  readonly #kept: KeptLease;
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly delivery: EventDelivery | undefined;

  constructor(kept: KeptLease, id: string, attempt: number, delivery: EventDelivery | undefined) {
    this.#kept = kept;
    this.idempotencyKey = id;
    this.attempt = attempt;
    this.delivery = delivery;
  }

  get signal(): AbortSignal {
    return this.#kept.signal;
  }
}
