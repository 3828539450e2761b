import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { createVirtualClock } from "../../sandbox/src/engine/virtual-clock.ts";
import { createBudget, type BudgetOptions, type SharedTurns } from "../src/limit/permits.ts";
import { givenRule } from "../src/limit/given-rule.ts";
import { headersRule } from "../src/limit/headers-rule.ts";
import { checkPriority, createLine, type Priority } from "../src/limit/queue.ts";

const MINUTE = 60_000;
const SLICE = 500;
// A queue without a wait would spin.
vi.setConfig({ testTimeout: 5_000 });

const forever = new AbortController().signal;

/** Creates a budget with its own clock, and records the name and time of each request whose turn has come. */
function create(limit: number, options: Partial<BudgetOptions> = {}) {
  const clock = createVirtualClock(0);
  const budget = createBudget({ rules: [givenRule(limit, MINUTE)], clock, ...options });
  const turns: [name: string, at: number][] = [];
  const join = (name: string, priority: Priority = "normal", signal: AbortSignal = forever) =>
    budget.take({ priority, signal }).then(() => void turns.push([name, clock.now()]));
  return { clock, budget, turns, join };
}

describe("a request that does not wait", () => {
  test("uses a turn while there is room, and releases it with the response", () => {
    const { budget } = create(2);
    expect([1, 2, 3].map(() => budget.tryTake("normal"))).toEqual([true, true, false]);
    expect(budget.state()).toMatchObject({ inFlight: 2, left: 0 });
    budget.ended(undefined);
    expect(budget.state()).toMatchObject({ inFlight: 1, left: 0 });
    budget.giveBack();
    expect(budget.state()).toMatchObject({ inFlight: 0, left: 1 });
    expect(budget.tryTake("normal")).toBe(true);
  });

  test("uses no turn before the waiting calls", async () => {
    const { clock, budget, join } = create(1);
    budget.tryTake("normal");
    void join("first");
    const controller = new AbortController();
    void join("second", "normal", controller.signal).catch(() => undefined);
    budget.giveBack();
    await clock.advance(0);
    expect(budget.state()).toMatchObject({ inFlight: 1, waiting: 1 });
    expect(budget.tryTake("normal")).toBe(false);
    controller.abort();
    budget.giveBack();
    expect(budget.tryTake("normal")).toBe(true);
  });

  test("uses no turn before the calls that are paced", async () => {
    const { clock, budget, turns, join } = create(60);
    void join("a", "background");
    void join("b", "background");
    await clock.advance(0);
    expect(turns).toEqual([["a", 0]]);
    expect(budget.tryTake("normal")).toBe(false);
    expect(budget.tryTake("background")).toBe(false);
  });

  test("is paced in the background, while other requests pass", async () => {
    const { clock, budget } = create(60);
    expect(budget.tryTake("background")).toBe(true);
    expect(budget.tryTake("background")).toBe(false);
    expect(budget.tryTake("normal")).toBe(true);
    await clock.advance(999);
    expect(budget.tryTake("background")).toBe(false);
    await clock.advance(1);
    expect(budget.tryTake("background")).toBe(true);
  });

  test("does not slow the background if it is a normal request", () => {
    const { budget } = create(60);
    budget.tryTake("normal");
    expect(budget.tryTake("background")).toBe(true);
  });

  test("is counted even without a turn", () => {
    const { budget } = create(2);
    budget.count();
    budget.count();
    budget.count();
    expect(budget.state()).toMatchObject({ inFlight: 3, left: 0 });
    expect(budget.tryTake("normal")).toBe(false);
  });

  test("uses no turn of a shared limit without asking the store", () => {
    const shared = { take: async () => 0, pace: 1, block: () => undefined };
    expect(create(9, { shared }).budget.tryTake("normal")).toBe(false);
  });
});

describe("waiting requests", () => {
  test("are sent once each, when the requests before them are a window old", async () => {
    const { clock, budget, turns, join } = create(2);
    for (const name of ["a", "b", "c", "d", "e"])
      void join(name).then(() => budget.ended(undefined));
    await clock.advance(0);
    expect(turns).toEqual([
      ["a", 0],
      ["b", 0],
    ]);
    await clock.advance(MINUTE + SLICE);
    expect(turns).toHaveLength(2);
    await clock.advance(1);
    expect(turns.slice(2)).toEqual([
      ["c", MINUTE + SLICE + 1],
      ["d", MINUTE + SLICE + 1],
    ]);
    expect(budget.state()).toMatchObject({ inFlight: 0, waiting: 1 });
    await clock.advance(2 * MINUTE);
    expect(turns).toHaveLength(5);
    expect(clock.pending).toBe(0);
  });

  test("are sent as soon as another request returns its turn", async () => {
    const { clock, budget, turns, join } = create(1);
    budget.tryTake("normal");
    void join("next");
    await clock.advance(10);
    expect(turns).toEqual([]);
    budget.giveBack();
    await clock.advance(0);
    expect(turns).toEqual([["next", 10]]);
  });

  test("are sent as soon as a response says that there is room", async () => {
    const { clock, budget, turns, join } = create(0, { rules: [headersRule()] });
    const says = (left: number, reset: number) => ({
      status: 200,
      headers: new Headers({
        "ratelimit-limit": "5",
        "ratelimit-remaining": String(left),
        "ratelimit-reset": String(reset),
      }),
    });
    budget.tryTake("normal");
    budget.tryTake("normal");
    budget.ended(says(0, 10));
    void join("next");
    await clock.advance(100);
    expect(turns).toEqual([]);
    budget.ended(says(3, 40));
    await clock.advance(0);
    expect(turns).toEqual([["next", 100]]);
  });

  test("wait for the slowest of several rules, and have the room of the strictest", async () => {
    const rules = [givenRule(5, MINUTE), givenRule(2, 2 * MINUTE)];
    const { clock, budget, turns, join } = create(0, { rules });
    expect(budget.state()).toMatchObject({ limit: 5, left: 2 });
    for (const name of ["a", "b", "c"]) void join(name).then(() => budget.ended(undefined));
    await clock.advance(2 * MINUTE);
    expect(turns).toHaveLength(2);
    await clock.advance(2 * SLICE + 1);
    expect(turns).toHaveLength(3);
  });

  test("in the background are sent at the pace of the slowest rule", async () => {
    const rules = [givenRule(600, MINUTE), givenRule(60, MINUTE)];
    const { clock, turns, join } = create(0, { rules });
    for (const name of ["a", "b", "c"]) void join(name, "background");
    await clock.advance(3_000);
    expect(turns.map(([, at]) => at)).toEqual([0, 1_001, 2_002]);
  });

  test("in the background do not delay other requests, which do not change the pace", async () => {
    const { clock, turns, join } = create(60);
    for (const name of ["a", "b"]) void join(name, "background");
    await clock.advance(500);
    void join("urgent");
    await clock.advance(1_000);
    expect(turns).toEqual([
      ["a", 0],
      ["urgent", 500],
      ["b", 1_001],
    ]);
  });

  test("end when their signal aborts, and the others keep their places", async () => {
    const { clock, budget, turns, join } = create(1);
    void join("first").then(() => budget.ended(undefined));
    const controller = new AbortController();
    const gone = join("gone", "normal", controller.signal);
    void join("last");
    await clock.advance(5);
    const reason = new Error("no longer needed");
    controller.abort(reason);
    await expect(gone).rejects.toBe(reason);
    expect(budget.state().waiting).toBe(1);
    await clock.advance(2 * MINUTE);
    expect(turns.map(([name]) => name)).toEqual(["first", "last"]);
  });

  test("are not queued with a signal that is already aborted", async () => {
    const { budget, join } = create(1);
    const reason = new Error("too late");
    await expect(join("gone", "normal", AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(budget.state()).toMatchObject({ waiting: 0, inFlight: 0 });
  });

  test("remove the listener from their signal when they are sent", async () => {
    const { clock, budget, turns, join } = create(5);
    const controller = new AbortController();
    await join("gone", "normal", controller.signal);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    controller.abort();
    await clock.advance(0);
    expect(turns).toHaveLength(1);
    expect(budget.state()).toMatchObject({ waiting: 0, inFlight: 1 });
  });
});

describe("a turn of a limit that processes share", () => {
  /** Creates a store that returns these waits one after the other, then 0. */
  function store(...waits: number[]) {
    const blocked: number[] = [];
    const clock = createVirtualClock(0);
    const asked: number[] = [];
    const shared: SharedTurns = {
      pace: 100,
      async take() {
        asked.push(clock.now());
        return waits.shift() ?? 0;
      },
      block: (milliseconds) => void blocked.push(milliseconds),
    };
    return { ...create(50, { shared, clock }), clock, asked, blocked };
  }

  test("is requested one at a time, at the pace of a process", async () => {
    const { clock, budget, asked } = store();
    const turns: number[] = [];
    for (let count = 0; count < 3; count++)
      void budget.take({ priority: "normal", signal: forever }).then(() => turns.push(clock.now()));
    await clock.advance(1_000);
    expect(turns).toEqual([0, 101, 202]);
    expect(asked).toEqual([0, 101, 202]);
  });

  test("is requested again at the time that the store names", async () => {
    const { clock, budget, asked } = store(700);
    let at: number | undefined;
    void budget.take({ priority: "normal", signal: forever }).then(() => (at = clock.now()));
    await clock.advance(699);
    expect(budget.state()).toMatchObject({ waiting: 1, left: 0, inFlight: 0 });
    await clock.advance(1);
    expect(at).toBeUndefined();
    await clock.advance(1);
    expect(at).toBe(701);
    expect(asked).toEqual([0, 701]);
  });

  test("is not used by a request that ends while the store is asked", async () => {
    const { clock, budget } = store();
    const controller = new AbortController();
    const gone = budget.take({ priority: "normal", signal: controller.signal });
    controller.abort(new Error("gone"));
    await expect(gone).rejects.toThrow("gone");
    await clock.advance(0);
    expect(budget.state()).toMatchObject({ inFlight: 0, waiting: 0 });
  });

  test("is blocked for all processes only if the service says for how long", () => {
    const { budget, blocked } = store();
    budget.rejected(undefined);
    budget.rejected(0);
    expect(blocked).toEqual([]);
    budget.rejected(1_500);
    expect(blocked).toEqual([1_500]);
    expect(() => create(1).budget.rejected(1_500)).not.toThrow();
  });
});

describe("state", () => {
  test("returns no values for an unknown limit", () => {
    const { budget } = create(0, { rules: [headersRule()], source: "option" });
    expect(budget.state()).toEqual({
      limit: undefined,
      source: undefined,
      left: undefined,
      inFlight: 0,
      waiting: 0,
      nextAt: undefined,
    });
  });

  test("names the service as the source unless another source is set", () => {
    expect(create(3).budget.state()).toMatchObject({ limit: 3, source: "service", left: 3 });
    expect(create(3, { source: "option" }).budget.state().source).toBe("option");
  });

  test("returns the limit that any of the rules knows", () => {
    const rules = [headersRule(), givenRule(5, MINUTE)];
    expect(create(0, { rules }).budget.state()).toMatchObject({ limit: 5, left: 5 });
  });

  test("never returns more room than the limit or less than 0", () => {
    const { budget } = create(3);
    for (let count = 0; count < 5; count++) budget.count();
    expect(budget.state().left).toBe(0);
    const wide = { ...givenRule(3, MINUTE), room: () => 99 };
    expect(create(0, { rules: [wide] }).budget.state().left).toBe(3);
  });

  test("returns when the next call is sent, also in the background", async () => {
    const until = ({ nextAt }: { nextAt: Date | undefined }) => nextAt!.getTime() - Date.now();
    const { clock, budget, join } = create(60);
    void join("a", "background");
    void join("b", "background");
    await clock.advance(250);
    expect(until(budget.state())).toBeGreaterThan(700);
    expect(until(budget.state())).toBeLessThanOrEqual(750);
    const full = create(1);
    full.budget.tryTake("normal");
    full.budget.ended(undefined);
    void full.join("next");
    expect(until(full.budget.state())).toBeGreaterThan(MINUTE);
    expect(until(full.budget.state())).toBeLessThanOrEqual(MINUTE + SLICE);
  });

  test("never returns a time in the past", async () => {
    const { budget, join } = create(1);
    budget.tryTake("normal");
    void join("next");
    const { nextAt } = budget.state();
    expect(Date.now() - nextAt!.getTime()).toBeLessThan(50);
  });
});

describe("the timer of a queue", () => {
  function createWatched() {
    const clock = createVirtualClock(0);
    const woken: number[] = [];
    const line = createLine(clock, () => woken.push(clock.now()));
    return { clock, line, woken };
  }

  test("fires once, less than two milliseconds after the time", async () => {
    const { clock, line, woken } = createWatched();
    line.wakeIn(10.5);
    await clock.advance(100);
    expect(woken).toEqual([11]);
    expect(clock.pending).toBe(0);
  });

  test("fires at the earliest requested time", async () => {
    const { clock, line, woken } = createWatched();
    line.wakeIn(50);
    line.wakeIn(80);
    line.wakeIn(20);
    line.wakeIn(20);
    expect(clock.pending).toBe(1);
    await clock.advance(100);
    expect(woken).toEqual([21]);
    line.wakeIn(30);
    await clock.advance(100);
    expect(woken).toEqual([21, 131]);
  });

  test("fires at an earlier time although a later one was requested after it", async () => {
    const { clock, line, woken } = createWatched();
    line.wakeIn(20);
    line.wakeIn(80);
    await clock.advance(100);
    expect(woken).toEqual([21]);
  });

  test("is not set if the wait is not positive", async () => {
    const { clock, line, woken } = createWatched();
    line.wakeIn(0);
    line.wakeIn(-5);
    await clock.advance(100);
    expect(woken).toEqual([]);
  });

  test("is cleared when the last call leaves, and can be set again", async () => {
    const { clock, line, woken } = createWatched();
    const controllers = [new AbortController(), new AbortController()] as const;
    for (const { signal } of controllers) line.join("normal", signal).catch(() => undefined);
    line.wakeIn(50);
    controllers[0].abort();
    expect(clock.pending).toBe(1);
    controllers[1].abort();
    expect(clock.pending).toBe(0);
    line.wakeIn(60);
    await clock.advance(100);
    expect(woken).toEqual([61]);
  });

  test("ignores next() on an empty queue", () => {
    const { line } = createWatched();
    expect(() => line.next(0, 5)).not.toThrow();
    expect(line.length()).toBe(0);
  });
});

test("a priority is normal, background or undefined", () => {
  for (const priority of ["normal", "background", undefined] as const)
    expect(() => checkPriority(priority)).not.toThrow();
  for (const priority of ["", "low", null, 1, true])
    expect(() => checkPriority(priority as Priority)).toThrow(
      new TypeError('priority must be "normal" or "background".'),
    );
});
