import { describe, expect, test, vi } from "vitest";
import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import { createPermits, type PermitsOptions } from "../src/limit/permits.ts";
import type { SharedPermits } from "../src/limit/shared-permits.ts";
import { givenRule } from "../src/limit/given-rule.ts";
import { headersRule } from "../src/limit/headers-rule.ts";
import { createHolder } from "./holder.ts";
import { createQueue, type Priority } from "../src/limit/queue.ts";

const MINUTE = 60_000;
const SLICE = 500;
// A queue without a wait would spin.
vi.setConfig({ testTimeout: 5_000 });

const forever = new AbortController().signal;

/** Creates permits with their own clock, and records the name and time of each request that gets one. */
function create(limit: number, options: Partial<PermitsOptions> = {}) {
  const clock = createVirtualClock(0);
  const permits = createPermits({ rules: [givenRule(limit, MINUTE)], clock, ...options });
  const holder = createHolder(permits);
  const sent: [name: string, at: number][] = [];
  const join = (name: string, priority: Priority = "normal", signal: AbortSignal = forever) =>
    holder.take({ priority, signal }).then(() => void sent.push([name, clock.now()]));
  return { clock, permits, holder, sent, join };
}

describe("a request that does not wait", () => {
  test("uses a permit while one is free, and releases it with the response", async () => {
    const { permits, holder } = create(2);
    expect([1, 2, 3].map(() => holder.tryTake("normal"))).toEqual([true, true, false]);
    expect(permits.state()).toMatchObject({ inFlight: 2, left: 0 });
    await holder.ended();
    expect(permits.state()).toMatchObject({ inFlight: 1, left: 0 });
    await holder.giveBack();
    expect(permits.state()).toMatchObject({ inFlight: 0, left: 1 });
    expect(holder.tryTake("normal")).toBe(true);
  });

  test("is spread in the background, while other requests pass", async () => {
    const { clock, holder } = create(60);
    expect(holder.tryTake("background")).toBe(true);
    expect(holder.tryTake("background")).toBe(false);
    expect(holder.tryTake("normal")).toBe(true);
    await clock.advance(999);
    expect(holder.tryTake("background")).toBe(false);
    await clock.advance(1);
    expect(holder.tryTake("background")).toBe(true);
  });

  test("is counted even if no permit is free", () => {
    const { permits, holder } = create(2);
    holder.count();
    holder.count();
    holder.count();
    expect(permits.state()).toMatchObject({ inFlight: 3, left: 0 });
    expect(holder.tryTake("normal")).toBe(false);
  });
});

describe("waiting requests", async () => {
  test("are sent once each, when the requests before them are a window old", async () => {
    const { clock, permits, holder, sent, join } = create(2);
    for (const name of ["a", "b", "c", "d", "e"]) void join(name).then(() => holder.ended());
    await clock.advance(0);
    expect(sent).toEqual([
      ["a", 0],
      ["b", 0],
    ]);
    await clock.advance(MINUTE + SLICE);
    expect(sent).toHaveLength(2);
    await clock.advance(1);
    expect(sent.slice(2)).toEqual([
      ["c", MINUTE + SLICE + 1],
      ["d", MINUTE + SLICE + 1],
    ]);
    expect(permits.state()).toMatchObject({ inFlight: 0, waiting: 1 });
    await clock.advance(2 * MINUTE);
    expect(sent).toHaveLength(5);
    expect(clock.pending).toBe(0);
  });

  test("are sent as soon as a response says that permits are free", async () => {
    const { clock, holder, sent, join } = create(0, { rules: [headersRule()] });
    const says = (left: number, reset: number) => ({
      status: 200,
      headers: new Headers({
        "ratelimit-limit": "5",
        "ratelimit-remaining": String(left),
        "ratelimit-reset": String(reset),
      }),
    });
    holder.tryTake("normal");
    holder.tryTake("normal");
    await holder.ended(says(0, 10));
    void join("next");
    await clock.advance(100);
    expect(sent).toEqual([]);
    await holder.ended(says(3, 40));
    await clock.advance(0);
    expect(sent).toEqual([["next", 100]]);
  });

  test("wait for the slowest of several rules, and have the permits of the strictest", async () => {
    const rules = [givenRule(5, MINUTE), givenRule(2, 2 * MINUTE)];
    const { clock, permits, holder, sent, join } = create(0, { rules });
    expect(permits.state()).toMatchObject({ limit: 5, left: 2 });
    for (const name of ["a", "b", "c"]) void join(name).then(() => holder.ended());
    await clock.advance(2 * MINUTE);
    expect(sent).toHaveLength(2);
    await clock.advance(2 * SLICE + 1);
    expect(sent).toHaveLength(3);
  });

  test("in the background do not delay other requests, which do not change the interval", async () => {
    const { clock, sent, join } = create(60);
    for (const name of ["a", "b"]) void join(name, "background");
    await clock.advance(500);
    void join("urgent");
    await clock.advance(1_000);
    expect(sent).toEqual([
      ["a", 0],
      ["urgent", 500],
      ["b", 1_001],
    ]);
  });

  test("end when their signal aborts, and the others keep their places", async () => {
    const { clock, permits, holder, sent, join } = create(1);
    void join("first").then(() => holder.ended());
    const controller = new AbortController();
    const gone = join("gone", "normal", controller.signal);
    void join("last");
    await clock.advance(5);
    const reason = new Error("no longer needed");
    controller.abort(reason);
    await expect(gone).rejects.toBe(reason);
    expect(permits.state().waiting).toBe(1);
    await clock.advance(2 * MINUTE);
    expect(sent.map(([name]) => name)).toEqual(["first", "last"]);
  });
});

describe("a permit of a limit that processes share", async () => {
  /** Creates a limit that has no permit for these times, one after the other, and then one every 100 ms. */
  function store(...waits: number[]) {
    const blocked: number[] = [];
    const counted: number[] = [];
    const clock = createVirtualClock(0);
    const asked: number[] = [];
    const shared: SharedPermits = {
      count: () => void counted.push(clock.now()),
      async take() {
        asked.push(clock.now());
        const wait = waits.shift();
        return wait === undefined ? { isTaken: true, wait: 100 } : { isTaken: false, wait };
      },
      block: (milliseconds) => void blocked.push(milliseconds),
    };
    return { ...create(50, { shared, clock }), clock, asked, blocked, counted };
  }

  test("is requested one at a time, at the interval of a process", async () => {
    const { clock, holder, asked } = store();
    const sent: number[] = [];
    for (let count = 0; count < 3; count++)
      void holder.take({ priority: "normal", signal: forever }).then(() => sent.push(clock.now()));
    await clock.advance(1_000);
    expect(sent).toEqual([0, 101, 202]);
    expect(asked).toEqual([0, 101, 202]);
  });

  test("is requested again at the time that the store names", async () => {
    const { clock, permits, holder, asked } = store(700);
    let at: number | undefined;
    void holder.take({ priority: "normal", signal: forever }).then(() => (at = clock.now()));
    await clock.advance(699);
    expect(permits.state()).toMatchObject({ waiting: 1, left: 0, inFlight: 0 });
    await clock.advance(1);
    expect(at).toBeUndefined();
    await clock.advance(1);
    expect(at).toBe(701);
    expect(asked).toEqual([0, 701]);
  });

  test("is not used by a request that ends while the store is asked", async () => {
    const { clock, permits, holder } = store();
    const controller = new AbortController();
    const gone = holder.take({ priority: "normal", signal: controller.signal });
    controller.abort(new Error("gone"));
    await expect(gone).rejects.toThrow("gone");
    await clock.advance(0);
    expect(permits.state()).toMatchObject({ inFlight: 0, waiting: 0 });
  });
});

describe("the timer of a queue", async () => {
  function createWatched() {
    const clock = createVirtualClock(0);
    const woken: number[] = [];
    const queue = createQueue(clock, () => woken.push(clock.now()));
    return { clock, queue, woken };
  }

  test("fires at the earliest requested time", async () => {
    const { clock, queue, woken } = createWatched();
    queue.wakeIn(50);
    queue.wakeIn(80);
    queue.wakeIn(20);
    queue.wakeIn(20);
    expect(clock.pending).toBe(1);
    await clock.advance(100);
    expect(woken).toEqual([21]);
    queue.wakeIn(30);
    await clock.advance(100);
    expect(woken).toEqual([21, 131]);
  });

  test("is cleared when the last call leaves, and can be set again", async () => {
    const { clock, queue, woken } = createWatched();
    const controllers = [new AbortController(), new AbortController()] as const;
    for (const { signal } of controllers) queue.join("normal", signal).catch(() => undefined);
    queue.wakeIn(50);
    controllers[0].abort();
    expect(clock.pending).toBe(1);
    controllers[1].abort();
    expect(clock.pending).toBe(0);
    queue.wakeIn(60);
    await clock.advance(100);
    expect(woken).toEqual([61]);
  });
});
