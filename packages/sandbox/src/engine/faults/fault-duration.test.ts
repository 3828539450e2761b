import { describe, expect, test } from "vitest";
import { call } from "../testing/all-state.ts";
import { openControls } from "../testing/controls.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { readDuration } from "./fault-duration.ts";
import type { FaultScript } from "./fault-script.ts";

const MINUTE = 60_000;

test.each([
  ["10 min", 10 * MINUTE],
  ["+10 min", 10 * MINUTE],
  ["+ 10m", 10 * MINUTE],
  ["10 minutes", 10 * MINUTE],
  ["1.5 h", 90 * MINUTE],
  ["2hours", 120 * MINUTE],
  ["90 s", 90_000],
  ["1 Second", 1_000],
  ["250ms", 250],
  ["1 day", 1_440 * MINUTE],
])("the time %j is %i ms", (text, ms) => {
  expect(readDuration(text)).toBe(ms);
});

test.each(["", "10", "min", "ten minutes", "-1 min", "0 s", "1 month", "1 min 30 s"])(
  "%j is not a time",
  (text) => {
    expect(readDuration(text)).toBeUndefined();
  },
);

const scripts: Record<string, (duration: number | string, more?: object) => FaultScript> = {
  rule: (duration, more) => [{ kind: "status", status: 503, duration, ...more }],
  rate: (duration, more) => ({ rate: 1, kinds: [503], duration, ...more }),
};
type Way = (script: FaultScript) => Promise<Sandbox>;
const ways: Record<string, Way> = {
  "the options": async (faults) => openControls({ faults }).sandbox,
  setFaults: async (faults) => {
    const { sandbox } = openControls();
    sandbox.setFaults(faults);
    return sandbox;
  },
  "the controls": async (faults) => {
    const { sandbox, send } = openControls();
    const { status } = await send("POST /faults", { faults });
    expect(status).toBe(200);
    return sandbox;
  },
  "the controls twice": async (faults) => {
    const { sandbox, send } = openControls();
    const { body } = await send("POST /faults", { faults });
    await sandbox.clock.advance(MINUTE);
    const { rules, rate } = body as { rules?: unknown; rate?: unknown };
    await send("POST /faults", { faults: rules ?? rate });
    return sandbox;
  },
};

describe.each(Object.entries(scripts))("a %s with a duration", (_, script) => {
  const statusOf = async (sandbox: Sandbox) =>
    (await call(sandbox, "console GET /api/v1/labels")).status;

  test.each(Object.entries(ways))(
    "that %s set ends by the clock of the sandbox",
    async (way, set) => {
      const sandbox = await set(script("10 min"));
      const passed = way === "the controls twice" ? MINUTE : 0;
      expect([await statusOf(sandbox), await statusOf(sandbox)]).toEqual([503, 503]);
      await sandbox.clock.advance(10 * MINUTE - passed - 1);
      expect(await statusOf(sandbox)).toBe(503);
      await sandbox.clock.advance(1);
      expect(await statusOf(sandbox)).toBe(200);
    },
  );

  test("ends at the same time in a fork, after a restore, and after a step back", async () => {
    const { sandbox } = openControls();
    sandbox.setFaults(script(10 * MINUTE));
    await statusOf(sandbox);
    await sandbox.clock.advance(6 * MINUTE);
    const saved = JSON.parse(JSON.stringify(sandbox.snapshot())) as never;
    await sandbox.clock.advance(4 * MINUTE);
    expect(await statusOf(sandbox)).toBe(200);
    sandbox.restore(saved);
    const fork = sandbox.fork();
    for (const each of [sandbox, fork]) {
      expect(await statusOf(each)).toBe(503);
      await each.clock.advance(4 * MINUTE);
      expect(await statusOf(each)).toBe(200);
    }
    await sandbox.stepBack(1);
    expect(await statusOf(sandbox)).toBe(503);
    await sandbox.clock.advance(10 * MINUTE);
    expect(await statusOf(sandbox)).toBe(200);
  });

  test("begins again at a reset", async () => {
    const { sandbox } = openControls({ faults: script("1 min") });
    await sandbox.clock.advance(5 * MINUTE);
    sandbox.reset();
    expect(await statusOf(sandbox)).toBe(503);
  });

  test.each([
    [
      "soon",
      `duration must be more than 0 milliseconds, or a time such as "10 min", "90 s" or "2 h"; it is "soon".`,
    ],
    ["", 'it is "".'],
    [0, "duration must be more than 0 milliseconds"],
    [-1, "duration must be more than 0 milliseconds"],
    [Infinity, "duration must be more than 0 milliseconds"],
  ])("of %j is rejected with a sentence", async (duration, message) => {
    const { sandbox, send } = openControls();
    expect(() => sandbox.setFaults(script(duration))).toThrow(message);
    const { status, body } = await send("POST /faults", { faults: script(String(duration)) });
    expect([status, body]).toEqual([400, expect.stringContaining("duration must be")]);
  });

  test("and an end has one of them too many", () => {
    const { sandbox } = openControls();
    const both = script("1 min", { until: 1 });
    expect(() => sandbox.setFaults(both)).toThrow("has both duration and until");
  });
});
