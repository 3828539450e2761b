import { systemClock, type Clock } from "@fieldmesh/core";
import { createLine, type Priority } from "./queue.ts";
import type { BudgetState } from "./rate-limit-option.ts";
import type { Rule, RuledResponse } from "./rule.ts";

/** Keeps requests within a limit. Each request waits for its turn, is sent, and ends. */
export interface Budget {
  /** Takes a turn immediately, if one is free and no other call waits for it. */
  tryTake(priority: Priority): boolean;
  /** Resolves when it is the turn of this request. Rejects with the reason of the signal. */
  take(request: { readonly priority: Priority; readonly signal: AbortSignal }): Promise<void>;
  /** Takes a turn even if none is free, for a call that does not wait. */
  count(): void;
  /** Ends a turn without a request. */
  giveBack(): void;
  /** Ends a turn whose request was sent, with its response if one arrived. */
  ended(response: RuledResponse | undefined): void;
  /** Tells other processes that the service has rejected a request, and for how many milliseconds, if known. */
  rejected(hint: number | undefined): void;
  state(): BudgetState;
}

export interface BudgetOptions {
  readonly rules: readonly Rule[];
  /** The source of the limit, for `state`. */
  readonly source?: BudgetState["source"];
  /** The turns that this process shares with others. */
  readonly shared?: SharedTurns | undefined;
  /** Its `now` must never go backwards. */
  readonly clock?: Clock | undefined;
}

/** The turns of a limit that several processes share. */
export interface SharedTurns {
  /** Resolves with the milliseconds until the next try, or with 0 if it took a turn. Never rejects. */
  take(): Promise<number>;
  /** Milliseconds between two turns of one process, so that a process that is slightly late still gets its share. */
  readonly pace: number;
  /** Blocks turns in all processes for some milliseconds. */
  block(milliseconds: number): void;
}

// A time that never goes backwards, so that a corrected system clock adds no turns.
const steadyClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => systemClock.sleep(ms, signal),
};

/** Creates the budget of one limit. A request is sent when every rule has room for it. */
export function createBudget({
  rules,
  source,
  shared,
  clock = steadyClock,
}: BudgetOptions): Budget {
  let inFlight = 0;
  let sharedUntil = 0;
  let isAsking = false;
  const line = createLine(clock, () => serve());

  const room = (now: number): number =>
    now < sharedUntil ? 0 : Math.min(...rules.map((rule) => rule.room(now, inFlight)));
  const untilRoom = (now: number): number =>
    Math.max(sharedUntil - now, ...rules.map((rule) => rule.untilRoom(now, inFlight)));
  const pace = (now: number): number =>
    Math.max(0, ...rules.map((rule) => rule.pace(now, inFlight)));
  const limitOf = (now: number): number | undefined =>
    rules.map((rule) => rule.limit(now)).find((limit) => limit !== undefined);

  function serve(): void {
    while (line.length() > 0 && !isAsking) {
      const now = clock.now();
      if (room(now) < 1) return line.wakeIn(untilRoom(now));
      const soonest = line.soonest(now);
      if (soonest > 0) return line.wakeIn(soonest);
      if (shared !== undefined) return void askOthers(shared);
      serveNext(now);
    }
  }

  function serveNext(now: number): void {
    inFlight++;
    line.next(now, pace(now));
  }

  /** Asks one at a time, so that each process gets the same share of a limit. */
  async function askOthers(others: SharedTurns): Promise<void> {
    isAsking = true;
    const wait = await others.take();
    isAsking = false;
    const now = clock.now();
    sharedUntil = now + (wait > 0 ? wait : others.pace);
    if (wait === 0 && line.length() > 0) serveNext(now);
    serve();
  }

  return {
    tryTake(priority) {
      if (line.length() > 0 || shared !== undefined) return false;
      const now = clock.now();
      if (room(now) < 1 || !line.mayPass(priority, now)) return false;
      inFlight++;
      line.passed(priority, now, pace(now));
      return true;
    },
    take({ priority, signal }) {
      const turn = line.join(priority, signal);
      serve();
      return turn;
    },
    count() {
      inFlight++;
    },
    giveBack() {
      inFlight--;
      serve();
    },
    ended(response) {
      inFlight--;
      const now = clock.now();
      for (const rule of rules) rule.ended(response, now);
      serve();
    },
    rejected(hint = 0) {
      if (hint > 0) shared?.block(hint);
    },
    state() {
      const now = clock.now();
      const limit = limitOf(now);
      const waiting = line.length();
      const wait = Math.max(untilRoom(now), line.soonest(now));
      return {
        limit,
        source: limit === undefined ? undefined : (source ?? "service"),
        left: limit === undefined ? undefined : Math.max(0, Math.min(limit, room(now))),
        inFlight,
        waiting,
        nextAt: waiting > 0 ? new Date(Date.now() + Math.max(0, wait)) : undefined,
      };
    },
  };
}
