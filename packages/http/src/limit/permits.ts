// Why it is so: docs/decisions/25-a-request-waits-for-a-permit.md
import { monotonicClock, type Clock } from "@fieldmesh/core/internal";
import type { Deadline } from "../wire/deadline.ts";
import { createPlaces, type Places } from "./places.ts";
import { createQueue, type Priority } from "./queue.ts";
import type { LimitState } from "./rate-limit-option.ts";
import type { Rule, RuledResponse } from "./rule.ts";
import type { SharedPermits } from "./shared-permits.ts";

export type Permits = ReturnType<typeof createPermits>;

/** The right to send one request now. What the holder sets tells how it was used. */
export interface Permit {
  /** A request was sent. An unused permit does not count. */
  isUsed: boolean;
  /** The response, if one arrived. */
  response: RuledResponse | undefined;
}

/** Who waits for a permit, and until when. */
export interface PermitRequest {
  readonly priority: Priority;
  readonly deadline: Pick<Deadline, "signal">;
}

export interface PermitsOptions {
  readonly rules: readonly Rule[];
  /** The source of the limit, for `state`. */
  readonly source?: LimitState["source"];
  /** The requests that may be in progress at once, also with other permits. @default - any number */
  readonly places?: Places | undefined;
  /** The permits that this process shares with others. */
  readonly shared?: SharedPermits | undefined;
  /** Its `now` must never go backwards. */
  readonly clock?: Clock | undefined;
}

/** Creates permits. A request is sent when every rule has one for it, and a place is free. Only `withPermit` takes and releases them. */
export function createPermits(options: PermitsOptions) {
  const {
    rules,
    source,
    shared,
    clock = monotonicClock,
    places = createPlaces(Infinity),
  } = options;
  let inUse = 0;
  let sharedUntil = 0;
  let isAsking = false;
  const queue = createQueue(clock, () => serve());

  const free = (now: number): number =>
    now < sharedUntil ? 0 : Math.min(...rules.map((rule) => rule.free(now, inUse)));
  const untilFree = (now: number): number =>
    Math.max(sharedUntil - now, ...rules.map((rule) => rule.untilFree(now, inUse)));
  const interval = (now: number): number =>
    Math.max(0, ...rules.map((rule) => rule.interval(now, inUse)));

  function serve(): void {
    while (queue.length() > 0 && !isAsking) {
      if (!places.isFree()) return places.whenFree(serve);
      const now = clock.now();
      if (free(now) < 1) return queue.wakeIn(untilFree(now));
      const soonest = queue.soonest(now);
      if (soonest > 0) return queue.wakeIn(soonest);
      if (shared !== undefined) return void askOthers(shared);
      places.take();
      serveNext(now);
    }
  }

  /** Lets the first call of the queue go. It has a place. */
  function serveNext(now: number): void {
    inUse++;
    queue.next(now, interval(now));
  }

  /** Asks one at a time, so that each process gets the same share of a limit. */
  async function askOthers(others: SharedPermits): Promise<void> {
    isAsking = true;
    places.take();
    const { isTaken, wait } = await others.take();
    isAsking = false;
    const now = clock.now();
    sharedUntil = now + wait;
    if (isTaken && queue.length() > 0) serveNext(now);
    else places.release();
    serve();
  }

  /** Takes a permit immediately, if one is free and no other call waits for it. */
  function tryTake(priority: Priority): boolean {
    if (queue.length() > 0 || shared !== undefined || !places.isFree()) return false;
    const now = clock.now();
    if (free(now) < 1 || !queue.mayPass(priority, now)) return false;
    places.take();
    inUse++;
    queue.passed(priority, now, interval(now));
    return true;
  }

  async function join({ priority, deadline }: PermitRequest): Promise<void> {
    const permitted = queue.join(priority, deadline.signal());
    serve();
    await permitted;
  }

  return {
    /** Waits for a permit. Rejects with the reason of the signal if that aborts during the wait. */
    async take(request: PermitRequest): Promise<Permit> {
      if (!tryTake(request.priority)) await join(request);
      return unused();
    },
    /** Takes a permit beyond the limit, for a call that does not wait for one. It waits for a place, like every call. */
    async takeAtOnce({ signal }: PermitRequest["deadline"]): Promise<Permit> {
      if (places.isFree()) places.take();
      else await places.enter(signal());
      inUse++;
      shared?.count();
      return unused();
    },
    /** Takes a permit back. */
    release({ isUsed, response }: Permit): void {
      inUse--;
      const now = clock.now();
      if (isUsed) for (const rule of rules) rule.ended(response, now);
      places.release();
      serve();
    },
    /** What a call waits for at this moment, for its error. */
    whyNone: (): string =>
      places.isFree()
        ? "the rate limit had no permit for it"
        : `no place among its ${places.limit} calls at once (maxConcurrent) became free`,
    /** Tells other processes that the service has rejected a request, and for how many milliseconds, if known. */
    rejected(hint = 0): void {
      if (hint > 0) shared?.block(hint);
    },
    state(): LimitState {
      const now = clock.now();
      const limit = rules.map((rule) => rule.limit(now)).find((each) => each !== undefined);
      const waiting = queue.length();
      const wait = Math.max(untilFree(now), queue.soonest(now));
      return {
        limit,
        source: limit === undefined ? undefined : (source ?? "service"),
        left: limit === undefined ? undefined : Math.max(0, Math.min(limit, free(now))),
        inFlight: inUse,
        waiting,
        nextAt:
          waiting > 0 && places.isFree() ? new Date(Date.now() + Math.max(0, wait)) : undefined,
      };
    },
  };
}

function unused(): Permit {
  return { isUsed: false, response: undefined };
}
