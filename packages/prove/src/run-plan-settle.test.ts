import { afterEach, expect, test, vi } from "vitest";
import { nextTurn } from "../../sandbox/src/engine/time/sleepers.ts";
import { runPlan } from "./run-plan.ts";
import type { Build, Subject } from "./subject.ts";
import { carryOut, one, ONE, START, types } from "./testing/carry-out.ts";
import type { World } from "./world.ts";

afterEach(() => void vi.restoreAllMocks());

const turnOfTheLoop = () => new Promise<void>((resolve) => void setImmediate(resolve));

async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await turnOfTheLoop();
}

/** Long enough that a flow without a call is no longer waited for, if the real time allows it. */
const IDLE = 2_100;
const none = () => [];

test.each<[string, number | undefined, number, Omit<Subject, "receive">]>([
  ["nothing of its own", undefined, 0, {}],
  ["effects", undefined, 50, { effects: none }],
  ["rows", undefined, 50, { rows: none }],
  ["effects and rows", undefined, 50, { effects: none, rows: none }],
  ["effects", 0, 0, { effects: none }],
  ["rows", 80, 80, { rows: none }],
  ["nothing of its own", 80, 80, {}],
])(
  "a receiver with %s and settle %s is waited for %d ms before the clock moves",
  async (_what, settle, most, own) => {
    let time = 0;
    vi.spyOn(performance, "now").mockImplementation(() => time);
    const begun = Promise.withResolvers<World>();
    const response = Promise.withResolvers<Response>();
    const build: Build = (given) => ({
      ...own,
      receive: () => {
        begun.resolve(given);
        return response.promise;
      },
    });
    const run = runPlan({ build, types, settle }, { steps: [{ deliver: [one] }] });
    const { clock } = await begun.promise;
    const hasMoved = async () => {
      await pass(IDLE);
      await nextTurn();
      await nextTurn();
      return clock.now() > START;
    };
    if (most > 0) {
      time = most - 1;
      expect(await hasMoved()).toBe(false);
      time = most;
    }
    expect(await hasMoved()).toBe(true);
    response.resolve(new Response());
    await run;
  },
);

test.each([
  ["responds", false],
  ["makes another call", true],
])("the clock does not move if a delivery %s after a long query", async (_name, callsAgain) => {
  // Each look at the real time takes a millisecond, so that the query takes longer than one that is not waiting for a lock.
  let time = 0;
  vi.spyOn(performance, "now").mockImplementation(() => time++);
  const pool = { query: () => pass(2_500), connect: none };
  const { sent, moved } = await carryOut({ steps: [{ deliver: [one] }] }, async (_event, world) => {
    await world.database(pool).query();
    if (callsAgain) await world.rows.get("any");
  });
  expect([sent, moved]).toEqual([[[ONE, 200]], 0]);
});
