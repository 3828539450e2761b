import { expect, test } from "vitest";
import { createCalls, type Calls, type Strike } from "./calls.ts";
import type { CallFault } from "./plan.ts";
import { createTurns, type Flow } from "./turns.ts";

const NEVER = "never settles";
const ENDED = "Error: The process has ended, as planned.";
const OUTLIVED =
  "TypeError: A database of a process that has ended was used: world.store and world.survives keep what is created in them. Create the store outside of them, as each new process does: store: postgresInbox(world.database(pool)).";
const FAILED = "Error: mail failed, as planned.";

/** A process whose calls are struck by these faults, one after the other. */
function startProcess(...faults: (CallFault | undefined)[]) {
  const real = createTurns(() => 0);
  const state = { open: 0 };
  const turns = {
    ...real,
    query: (flow: Flow) => {
      state.open++;
      const close = real.query(flow);
      return () => {
        state.open--;
        close();
      };
    },
  };
  const lines: string[] = [];
  const struck: Parameters<Strike>[] = [];
  const flows = new Set<Flow>();
  const strike: Strike = (...all) => {
    struck.push(all);
    return faults.shift();
  };
  const log = (line: string) => void lines.push(line);
  const calls = createCalls({ turns, strike, log }, flows, new AbortController());

  /** Starts work as a delivery of this process, or of another one. Returns what shows its result. */
  const start = async (work: () => unknown, isOwn = true) => {
    const flow: Flow = { hasEnded: false };
    if (isOwn) flows.add(flow);
    let result: unknown = NEVER;
    await turns.start(flow, async () => {
      result = await (async () => work())().catch(String);
    });
    return { flow, result: () => result };
  };
  /** Lets each call have its turn. */
  const release = async () => {
    while (real.waiting > 0) await turns.release(0);
  };
  /** Carries out a delivery, and returns its result or error. */
  const deliver = async (work: () => unknown, isOwn = true) => {
    const { result } = await start(work, isOwn);
    await release();
    return result();
  };
  return { calls, turns: real, lines, struck, state, start, release, deliver };
}

const tick = () => new Promise((resolve) => void setImmediate(resolve));

/** Whether it settles, and how, without any turn. */
async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  let outcome: unknown = NEVER;
  promise.then(
    (value) => (outcome = value),
    (error: unknown) => (outcome = String(error)),
  );
  await tick();
  return outcome;
}

type Way = "cross" | "query" | "now";
const faults: [fault: CallFault | undefined, result: unknown, done: number, died: boolean][] = [
  [undefined, "sent", 1, false],
  ["error before", FAILED, 0, false],
  ["error after", FAILED, 1, false],
  ["crash before", NEVER, 0, true],
  ["crash after", NEVER, 1, true],
];
const ways = (["cross", "query", "now"] as const).flatMap((way) =>
  faults.map(([fault, result, done, died]) => ({
    way,
    fault,
    // A call that returns at once cannot be left open.
    result: way === "now" && result === NEVER ? FAILED : result,
    done,
    died,
  })),
);

test.each(ways)("$way with the fault $fault: $result", async ({ way, fault, ...expected }) => {
  const { calls, deliver, lines, struck, state, turns } = startProcess(fault);
  let done = 0;
  const result = await deliver(() =>
    calls[way as Way]("mail", () => {
      done++;
      return "sent";
    }),
  );
  expect({ result, done, died: calls.hasDied }).toEqual(expected);
  // What strikes a call prints its own line.
  expect(lines).toEqual(fault === undefined ? ["  mail"] : []);
  expect(struck).toHaveLength(1);
  expect([struck[0]?.[0], struck[0]?.[2] ?? false]).toEqual(["mail", way === "now"]);
  expect([state.open, turns.waiting]).toEqual([0, 0]);
});

test("the clock sees a query as open until it has ended", async () => {
  const { calls, start, release, state } = startProcess();
  const { promise, resolve } = Promise.withResolvers<string>();
  const { result } = await start(() => calls.query("SELECT", () => promise));
  expect(state.open).toBe(0);
  await release();
  expect([state.open, result()]).toEqual([1, NEVER]);
  resolve("rows");
  await tick();
  expect([state.open, result()]).toEqual([0, "rows"]);
});

test("outside of deliveries, nothing goes wrong with a query or a local call, which need no turn", async () => {
  const { calls, lines, struck, turns } = startProcess("crash before");
  expect(await calls.query("SELECT", () => "rows")).toBe("rows");
  expect(calls.now("exec", () => 1)).toBe(1);
  const failing = calls.query("SELECT", () => Promise.reject(new Error("no table")));
  expect(await outcomeOf(failing)).toBe("Error: no table");
  expect([lines, struck, turns.waiting, calls.hasDied]).toEqual([[], [], 0, false]);
});

test("a crash ends all flows of its process, drops their calls and runs what is due at the end, once", async () => {
  const { calls, turns, start, struck } = startProcess(undefined, "crash before");
  const ends: string[] = [];
  calls.atEnd(() => ends.push("first"));
  calls.atEnd(() => ends.push("second"));
  const io = Promise.withResolvers<string>();
  const slow = await start(() => calls.cross("slow", () => io.promise));
  const crashing = await start(() => calls.cross("mail", () => "sent"));
  const waiting = await start(() => calls.cross("invoice", () => "sent"));
  const background = outcomeOf(calls.cross("beside", () => "done"));
  expect(await background).toBe(NEVER);
  await turns.release(0);
  expect([turns.waiting, calls.hasDied, ends]).toEqual([3, false, []]);
  await turns.release(0);
  expect([turns.waiting, calls.hasDied, ends]).toEqual([0, true, ["first", "second"]]);
  const all = [slow, crashing, waiting];
  expect(all.map(({ flow }) => flow.hasEnded)).toEqual([true, true, true]);
  // What was in progress ends after its process, and nobody hears of it.
  io.resolve("late");
  await tick();
  expect(all.map(({ result }) => result())).toEqual([NEVER, NEVER, NEVER]);
  expect([ends.length, struck.length]).toEqual([2, 2]);
  await expect(calls.died).rejects.toThrow(new Error("The process has ended, as planned."));
});

test.each([
  ["returns", undefined],
  ["fails", new Error("the connection is closed")],
])("a query that %s after the end of its process never settles", async (_how, error) => {
  const { calls, start, turns, deliver, state } = startProcess(undefined, "crash before");
  const io = Promise.withResolvers<void>();
  const { result } = await start(() => calls.query("SELECT", () => io.promise));
  await turns.release(0);
  await deliver(() => calls.cross("mail", () => {}));
  expect([calls.hasDied, state.open]).toEqual([true, 1]);
  if (error === undefined) io.resolve();
  else io.reject(error);
  await tick();
  expect([result(), state.open]).toEqual([NEVER, 0]);
});

const crash = (calls: Calls) => calls.cross("mail", () => {});

test("after its end, a process makes no call of any kind", async () => {
  const { calls, deliver, struck } = startProcess("crash before");
  await deliver(() => crash(calls));
  const done: string[] = [];
  const work = (name: string) => () => void done.push(name);
  expect(await outcomeOf(calls.cross("mail", work("cross")))).toBe(NEVER);
  expect(await outcomeOf(calls.query("SELECT", work("query")))).toBe(NEVER);
  expect(() => calls.now("exec", work("now"))).toThrow(
    new Error("The process has ended, as planned."),
  );
  expect(await deliver(() => calls.cross("mail", work("cross")))).toBe(NEVER);
  expect(await deliver(() => calls.query("SELECT", work("query")))).toBe(NEVER);
  expect(await deliver(() => calls.now("exec", work("now")))).toBe(ENDED);
  expect([done, struck.length]).toEqual([[], 1]);
});

test("a living process that uses the database of one that has ended is told what to do", async () => {
  const { calls, deliver } = startProcess("crash before");
  await deliver(() => crash(calls));
  const done: string[] = [];
  const work = () => void done.push("done");
  expect(await deliver(() => calls.query("SELECT", work), false)).toBe(OUTLIVED);
  expect(await deliver(() => calls.now("exec", work), false)).toBe(OUTLIVED);
  expect(await deliver(() => calls.cross("mail", work), false)).toBe(NEVER);
  expect(done).toEqual([]);
});
