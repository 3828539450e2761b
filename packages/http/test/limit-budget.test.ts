import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { createVirtualClock } from "../../sandbox/src/engine/virtual-clock.ts";
import { createBudget, type BudgetOptions, type SharedTurns } from "../src/limit/budget.ts";
import { givenRule } from "../src/limit/given-rule.ts";
import { headersRule } from "../src/limit/headers-rule.ts";
import { checkPriority, createLine, type Priority } from "../src/limit/line.ts";

const MINUTE = 60_000;
const SLICE = 500;
// A line that does not wait would spin.
vi.setConfig({ testTimeout: 5_000 });

const forever = new AbortController().signal;

/** A budget on a clock of its own, and the names of the requests whose turn has come, with the times. */
function create(limit: number, options: Partial<BudgetOptions> = {}) {
  const clock = createVirtualClock(0);
  const budget = createBudget({ rules: [givenRule(limit, MINUTE)], clock, ...options });
  const turns: [name: string, at: number][] = [];
  const join = (name: string, priority: Priority = "normal", signal: AbortSignal = forever) =>
    budget.take({ priority, signal }).then(() => void turns.push([name, clock.now()]));
  return { clock, budget, turns, join };
}

describe("a request that does not wait", () => {
  test("uses a turn while there is room, and ends it with the response", () => {
    const { budget } = create(2);
    expect([1, 2, 3].map(() => budget.tryTake("normal"))).toEqual([true, true, false]);
    expect(budget.state()).toMatchObject({ inFlight: 2, left: 0 });
    budget.ended(undefined);
    expect(budget.state()).toMatchObject({ inFlight: 1, left: 0 });
    budget.giveBack();
    expect(budget.state()).toMatchObject({ inFlight: 0, left: 1 });
    expect(budget.tryTake("normal")).toBe(true);
  });

  test("uses none before the waiting calls", async () => {
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

  test("uses none before the calls that wait for their pace", async () => {
    const { clock, budget, turns, join } = create(60);
    void join("a", "background");
    void join("b", "background");
    await clock.advance(0);
    expect(turns).toEqual([["a", 0]]);
    expect(budget.tryTake("normal")).toBe(false);
    expect(budget.tryTake("background")).toBe(false);
  });

  test("is paced in the background, while others pass", async () => {
    const { clock, budget } = create(60);
    expect(budget.tryTake("background")).toBe(true);
    expect(budget.tryTake("background")).toBe(false);
    expect(budget.tryTake("normal")).toBe(true);
    await clock.advance(999);
    expect(budget.tryTake("background")).toBe(false);
    await clock.advance(1);
    expect(budget.tryTake("background")).toBe(true);
  });

  test("does not slow the background when it is not of it", () => {
    const { budget } = create(60);
    budget.tryTake("normal");
    expect(budget.tryTake("background")).toBe(true);
  });

  test("counts even without a turn", () => {
    const { budget } = create(2);
    budget.count();
    budget.count();
    budget.count();
    expect(budget.state()).toMatchObject({ inFlight: 3, left: 0 });
    expect(budget.tryTake("normal")).toBe(false);
  });

  test("never uses a turn of a shared limit without asking the other processes", () => {
    const shared = { take: async () => 0, pace: 1, block: () => undefined };
    expect(create(9, { shared }).budget.tryTake("normal")).toBe(false);
  });
});

describe("requests that wait", () => {
  test("go when the requests before them are a window old, and each one once", async () => {
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

  test("go as soon as another request ends a turn that was not used", async () => {
    const { clock, budget, turns, join } = create(1);
    budget.tryTake("normal");
    void join("next");
    await clock.advance(10);
    expect(turns).toEqual([]);
    budget.giveBack();
    await clock.advance(0);
    expect(turns).toEqual([["next", 10]]);
  });

  test("go as soon as a response says that there is room", async () => {
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

  test("wait for the slowest of several rules, and have the room of the narrowest", async () => {
    const rules = [givenRule(5, MINUTE), givenRule(2, 2 * MINUTE)];
    const { clock, budget, turns, join } = create(0, { rules });
    expect(budget.state()).toMatchObject({ limit: 5, left: 2 });
    for (const name of ["a", "b", "c"]) void join(name).then(() => budget.ended(undefined));
    await clock.advance(2 * MINUTE);
    expect(turns).toHaveLength(2);
    await clock.advance(2 * SLICE + 1);
    expect(turns).toHaveLength(3);
  });

  test("in the background follow each other at the pace of the slowest rule", async () => {
    const rules = [givenRule(600, MINUTE), givenRule(60, MINUTE)];
    const { clock, turns, join } = create(0, { rules });
    for (const name of ["a", "b", "c"]) void join(name, "background");
    await clock.advance(3_000);
    expect(turns.map(([, at]) => at)).toEqual([0, 1_001, 2_002]);
  });

  test("in the background do not hold back others, which leave the pace as it is", async () => {
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

  test("leave when their signal is aborted, and the others keep their places", async () => {
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

  test("never join with a signal that is aborted already", async () => {
    const { budget, join } = create(1);
    const reason = new Error("too late");
    await expect(join("gone", "normal", AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(budget.state()).toMatchObject({ waiting: 0, inFlight: 0 });
  });

  test("do not listen to their signal any more when they have gone", async () => {
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

describe("a turn that other processes take too", () => {
  /** A store that returns these waits, one after the other, then 0. */
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

  test("is not taken from those that wait by a request that has left while the store was asked", async () => {
    const { clock, budget } = store();
    const controller = new AbortController();
    const gone = budget.take({ priority: "normal", signal: controller.signal });
    controller.abort(new Error("gone"));
    await expect(gone).rejects.toThrow("gone");
    await clock.advance(0);
    expect(budget.state()).toMatchObject({ inFlight: 0, waiting: 0 });
  });

  test("is blocked for all of them when the service says for how long, and only then", () => {
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
  test("says nothing of a limit that is not known", () => {
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

  test("names the service as the source unless another one is set", () => {
    expect(create(3).budget.state()).toMatchObject({ limit: 3, source: "service", left: 3 });
    expect(create(3, { source: "option" }).budget.state().source).toBe("option");
  });

  test("knows the limit that any of the rules knows", () => {
    const rules = [headersRule(), givenRule(5, MINUTE)];
    expect(create(0, { rules }).budget.state()).toMatchObject({ limit: 5, left: 5 });
  });

  test("never has more room than the limit, and none below 0", () => {
    const { budget } = create(3);
    for (let count = 0; count < 5; count++) budget.count();
    expect(budget.state().left).toBe(0);
    const wide = { ...givenRule(3, MINUTE), room: () => 99 };
    expect(create(0, { rules: [wide] }).budget.state().left).toBe(3);
  });

  test("says when the next call goes, in the background too", async () => {
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

  test("never says a time that is over", async () => {
    const { budget, join } = create(1);
    budget.tryTake("normal");
    void join("next");
    const { nextAt } = budget.state();
    expect(Date.now() - nextAt!.getTime()).toBeLessThan(50);
  });
});

describe("the alarm of a line", () => {
  function createWatched() {
    const clock = createVirtualClock(0);
    const woken: number[] = [];
    const line = createLine(clock, () => woken.push(clock.now()));
    return { clock, line, woken };
  }

  test("rings a whole millisecond after the time at the latest, and once", async () => {
    const { clock, line, woken } = createWatched();
    line.wakeIn(10.5);
    await clock.advance(100);
    expect(woken).toEqual([11]);
    expect(clock.pending).toBe(0);
  });

  test("rings at the earliest time that was asked for", async () => {
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

  test("does not wait for a later time that was asked for after an earlier one", async () => {
    const { clock, line, woken } = createWatched();
    line.wakeIn(20);
    line.wakeIn(80);
    await clock.advance(100);
    expect(woken).toEqual([21]);
  });

  test("sets no timer if time alone decides nothing", async () => {
    const { clock, line, woken } = createWatched();
    line.wakeIn(0);
    line.wakeIn(-5);
    await clock.advance(100);
    expect(woken).toEqual([]);
  });

  test("is stopped when the last call has left, and can be set again", async () => {
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

  test("an empty line lets no call go", () => {
    const { line } = createWatched();
    expect(() => line.next(0, 5)).not.toThrow();
    expect(line.length()).toBe(0);
  });
});

test("a priority is normal, background, or left out", () => {
  for (const priority of ["normal", "background", undefined] as const)
    expect(() => checkPriority(priority)).not.toThrow();
  for (const priority of ["", "low", null, 1, true])
    expect(() => checkPriority(priority as Priority)).toThrow(
      new TypeError('priority must be "normal" or "background".'),
    );
});
