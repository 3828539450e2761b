import { afterEach, expect, test, vi } from "vitest";
import { createTurns, type Flow } from "./turns.ts";

const flowOf = (): Flow => ({ hasEnded: false });
const turnOfTheLoop = () => new Promise<void>((resolve) => void setImmediate(resolve));
const never = () => new Promise<void>(() => {});
/** How many turns of the event loop a flow is waited for that makes no call. */
const IDLE = 2_000;

afterEach(() => void vi.restoreAllMocks());

/** Stops the real time, and returns what sets it. */
function stopTime(): (time: number) => void {
  let time = 0;
  vi.spyOn(performance, "now").mockImplementation(() => time);
  return (to) => void (time = to);
}

/** Shows whether a promise has settled. */
function watch(promise: Promise<unknown>): { isDone: boolean } {
  const state = { isDone: false };
  void promise.then(() => (state.isDone = true));
  return state;
}

async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await turnOfTheLoop();
}

/** Counts the turns of the event loop until it settles. */
async function turnsUntil(promise: Promise<unknown>): Promise<number> {
  const state = watch(promise);
  let turns = 0;
  for (; !state.isDone; turns++) await turnOfTheLoop();
  return turns;
}

test("a flow runs until its call waits for a turn, and from there to its end", async () => {
  const turns = createTurns(() => 0);
  const flow = flowOf();
  const seen: unknown[] = [];
  const started = turns.start(flow, async () => {
    seen.push(turns.current());
    await turns.next(flow);
    seen.push(turns.current());
  });
  expect([seen, turns.current()]).toEqual([[flow], undefined]);
  expect(await turnsUntil(started)).toBeLessThan(5);
  expect([seen.length, turns.waiting, flow.hasEnded]).toEqual([1, 1, false]);
  expect(await turnsUntil(turns.release(0))).toBeLessThan(5);
  expect([turns.waiting, flow.hasEnded]).toEqual([0, true]);
  expect(seen[1]).toBe(flow);
});

test("a flow whose work rejects has ended", async () => {
  const turns = createTurns(() => 0);
  const flow = flowOf();
  const started = turns.start(flow, () => Promise.reject(new Error("the handler failed")));
  expect(await turnsUntil(started)).toBeLessThan(5);
  expect(flow.hasEnded).toBe(true);
});

test("the chosen flow continues, counted from the one that has waited longest", async () => {
  const turns = createTurns(() => 0);
  const order: string[] = [];
  for (const name of ["a", "b", "c", "d"]) {
    const flow = flowOf();
    await turns.start(flow, async () => {
      await turns.next(flow);
      order.push(name);
      await turns.next(flow);
    });
  }
  // More than wait counts on from the first.
  for (const index of [1, 0, 5]) await turns.release(index);
  expect([order, turns.waiting]).toEqual([["b", "a", "d"], 4]);
  while (turns.waiting > 0) await turns.release(0);
  expect(order).toEqual(["b", "a", "d", "c"]);
});

test("nothing happens if no call waits", async () => {
  const turns = createTurns(() => 0);
  await turns.release(3);
  expect(turns.waiting).toBe(0);
});

test("calls of flows that are dropped never continue, and the others keep their order", async () => {
  const turns = createTurns(() => 0);
  const order: string[] = [];
  const flows = new Map<string, Flow>();
  for (const name of ["a", "b", "c", "d"]) {
    const flow = flowOf();
    flows.set(name, flow);
    await turns.start(flow, async () => {
      await turns.next(flow);
      order.push(name);
    });
  }
  turns.drop(new Set([flows.get("a")!, flows.get("c")!]));
  expect(turns.waiting).toBe(2);
  while (turns.waiting > 0) await turns.release(0);
  expect(order).toEqual(["b", "d"]);
});

test("a flow that makes no call is waited for during 2,000 turns of the event loop", async () => {
  const turns = createTurns(() => 0);
  const count = await turnsUntil(turns.start(flowOf(), never));
  expect(count).toBeGreaterThanOrEqual(IDLE);
  expect(count).toBeLessThan(IDLE + 5);
  // It is no longer waited for.
  expect(await turnsUntil(turns.queriesEnded())).toBeLessThan(5);
});

test.each([
  [0, false, 0],
  [80, false, 80],
  // A query may wait for a lock.
  [0, true, 50],
  [80, true, 80],
])("with settle %d and an open query %s, it is waited for %d ms", async (settle, isOpen, most) => {
  const setTime = stopTime();
  const turns = createTurns(() => settle);
  const flow = flowOf();
  const started = watch(
    turns.start(flow, async () => {
      if (isOpen) turns.query(flow);
      await never();
    }),
  );
  if (most > 0) {
    setTime(most - 1);
    await pass(IDLE + 10);
    expect(started.isDone).toBe(false);
    setTime(most);
    await pass(3);
  } else await pass(IDLE + 10);
  expect(started.isDone).toBe(true);
});

test.each<[string, (flow: Flow, turns: ReturnType<typeof createTurns>) => void]>([
  ["a call", (flow, turns) => void turns.next(flow)],
  ["the beginning of a query", (flow, turns) => void turns.query(flow)],
])("%s of one flow starts the wait for another one again", async (_name, act) => {
  const setTime = stopTime();
  const turns = createTurns(() => 80);
  const other = flowOf();
  const started = watch(turns.start(flowOf(), never));
  setTime(70);
  await pass(IDLE - 200);
  act(other, turns);
  await pass(1_000);
  setTime(149);
  await pass(1_500);
  expect(started.isDone).toBe(false);
  setTime(150);
  await pass(3);
  expect(started.isDone).toBe(true);
});

test("the end of a query starts the wait again, and its flow is waited for", async () => {
  const setTime = stopTime();
  const turns = createTurns(() => 0);
  const flow = flowOf();
  let close = () => {};
  const lock = Promise.withResolvers<void>();
  const blocked = turns.start(flow, async () => {
    close = turns.query(flow);
    await lock.promise;
    close();
    await pass(100);
    await turns.next(flow);
  });
  setTime(50);
  await blocked;
  // It waits for a lock of another flow, which continues and returns it.
  const other = flowOf();
  const freed = turns.start(other, async () => lock.resolve());
  await freed;
  expect([turns.waiting, flow.hasEnded]).toEqual([1, false]);
});

test("a query of a flow that has ended wakes nobody", async () => {
  const turns = createTurns(() => 0);
  const flow = flowOf();
  const close = turns.query(flow);
  flow.hasEnded = true;
  close();
  expect(await turnsUntil(turns.queriesEnded())).toBe(1);
});

test("open queries are waited for until they have ended, and then their flows", async () => {
  stopTime();
  const turns = createTurns(() => 0);
  const [one, two] = [flowOf(), flowOf()];
  const closes = [turns.query(one), turns.query(two)];
  const ended = watch(turns.queriesEnded());
  await pass(50);
  closes[0]?.();
  await pass(IDLE + 50);
  expect(ended.isDone).toBe(false);
  closes[1]?.();
  void pass(20).then(() => turns.next(two));
  one.hasEnded = true;
  await pass(10);
  expect(ended.isDone).toBe(false);
  await pass(15);
  expect([ended.isDone, turns.waiting]).toEqual([true, 1]);
});

test("open queries are not waited for while a call waits for its turn", async () => {
  const turns = createTurns(() => 0);
  turns.query(flowOf());
  const ended = watch(turns.queriesEnded());
  await pass(10);
  expect(ended.isDone).toBe(false);
  void turns.next(flowOf());
  await pass(3);
  expect(ended.isDone).toBe(true);
});

test("a query that is open for 2 s waits for the clock", async () => {
  const setTime = stopTime();
  const turns = createTurns(() => 0);
  turns.query(flowOf());
  const ended = watch(turns.queriesEnded());
  setTime(1_999);
  await pass(10);
  expect(ended.isDone).toBe(false);
  setTime(2_000);
  await pass(3);
  expect(ended.isDone).toBe(true);
});
