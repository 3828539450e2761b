import { expect, test } from "vitest";
import type { SandboxOptions } from "../sandbox/sandbox-options.ts";
import { call } from "../testing/all-state.ts";
import { openControls } from "../testing/controls.ts";
import { createSteerableClock } from "../time/steerable-clock.ts";

const START = "2026-01-01T00:00:00Z";
const VIRTUAL = {
  time: Date.parse("2026-11-20T08:00:00Z"),
  iso: "2026-11-20T08:00:00.000Z",
  kind: "virtual",
  paused: true,
};

/** Options with a clock that can be paused. */
const steerable = (paused = true): SandboxOptions =>
  ({ clock: createSteerableClock({ start: START, paused }) }) as unknown as SandboxOptions;

/** Options with a clock that cannot be set. */
const fixed = {
  clock: { now: () => 7, sleep: async () => {} },
} as unknown as SandboxOptions;

const NOT_VALID = "it is missing, unknown or not valid.";

test.each([
  ["POST /back", {}, "before"],
  ["POST /back", { before: 0 }, "before"],
  ["POST /back", { before: 1.5 }, "before"],
  ["POST /back", { before: "1" }, "before"],
  ["POST /back", { before: 1, more: 1 }, "more"],
  ["POST /rewind", { before: 0 }, "before"],
  ["POST /rewind", { before: 1, more: 1 }, "more"],
  ["POST /clock", {}, "action"],
  ["POST /clock", { action: "jump" }, "action"],
  ["POST /clock", { action: "pause", more: 1 }, "more"],
  ["POST /clock", { action: "run", more: 1 }, "more"],
  ["POST /clock", { action: "advance" }, "ms"],
  ["POST /clock", { action: "advance", ms: -1 }, "ms"],
  ["POST /clock", { action: "advance", ms: "1" }, "ms"],
  ["POST /clock", { action: "advance", ms: 1, more: 1 }, "more"],
])("%s %j is rejected, and what does not fit is named", async (route, body, name) => {
  const { sandbox, send } = openControls(steerable());
  await call(sandbox, "console GET /api/v1/labels");
  expect(await send(route, body)).toEqual({ status: 400, body: `Check ${name}: ${NOT_VALID}` });
});

test.each<[string, SandboxOptions, object, string]>([
  [
    "a virtual clock",
    {},
    { action: "run" },
    "The clock of this sandbox cannot run: pass clock: createSteerableClock().",
  ],
  [
    "a virtual clock",
    {},
    { action: "pause" },
    "The clock of this sandbox cannot pause: pass clock: createSteerableClock().",
  ],
  [
    "a fixed clock",
    fixed,
    { action: "run" },
    "The clock of this sandbox cannot run: pass clock: createSteerableClock().",
  ],
  [
    "a fixed clock",
    fixed,
    { action: "advance", ms: 1 },
    "The clock of this sandbox cannot be advanced.",
  ],
])("%s does not support every action: case %#", async (_name, options, body, message) => {
  expect(await openControls(options).send("POST /clock", body)).toEqual({
    status: 400,
    body: message,
  });
});

test("the clock is shown after each action", async () => {
  const virtual = openControls();
  expect((await virtual.send("GET /clock")).body).toEqual(VIRTUAL);
  expect((await virtual.send("POST /clock", { action: "advance", ms: 0 })).body).toEqual(VIRTUAL);
  expect((await virtual.send("POST /clock", { action: "advance", ms: 1_500 })).body).toEqual({
    ...VIRTUAL,
    time: VIRTUAL.time + 1_500,
    iso: "2026-11-20T08:00:01.500Z",
  });
  expect((await openControls(fixed).send("GET /clock")).body).toEqual({
    time: 7,
    iso: "1970-01-01T00:00:00.007Z",
    kind: "system",
    paused: false,
  });
  const { send } = openControls(steerable(false));
  expect((await send("POST /clock", { action: "pause" })).body).toMatchObject({ paused: true });
  expect((await send("GET /clock")).body).toMatchObject({ kind: "steerable", paused: true });
  expect((await send("POST /clock", { action: "run" })).body).toMatchObject({ paused: false });
  await send("POST /clock", { action: "pause" });
});

test("a restore and a step back show the time to which they set the clock", async () => {
  const { sandbox, send } = openControls();
  const { body: snapshot } = await send("POST /snapshot", {});
  await sandbox.clock.advance(1_000);
  await call(sandbox, "console GET /api/v1/labels");
  expect(await send("POST /restore", snapshot)).toEqual({ status: 200, body: VIRTUAL });
  await call(sandbox, "console GET /api/v1/labels");
  await sandbox.clock.advance(1_000);
  expect(await send("POST /back", { before: 2 })).toEqual({ status: 200, body: VIRTUAL });
  expect(sandbox.log.count).toBe(1);
});

test("a rewind, its undo and a moved clock are reported with what they changed", async () => {
  const { sandbox, send } = openControls();
  await call(sandbox, "console GET /api/v1/labels");
  await sandbox.clock.advance(1_000);
  const reported: unknown[] = [];
  sandbox.watch((activity) => void reported.push(activity));
  const rewound = { before: 1, requests: 1, devices: 0, deliveries: 0, ms: 1_000 };
  expect(await send("GET /rewind/1")).toEqual({ status: 200, body: rewound });
  expect(reported).toEqual([]);
  expect(await send("POST /rewind", { before: 1 })).toEqual({ status: 200, body: rewound });
  expect(reported.splice(0)).toEqual([{ kind: "reset" }, { kind: "rewind", rewound }]);
  expect(await send("POST /undo", {})).toEqual({
    status: 200,
    body: { ...VIRTUAL, time: VIRTUAL.time + 1_000, iso: "2026-11-20T08:00:01.000Z" },
  });
  expect(reported.splice(0)).toEqual([{ kind: "reset" }, { kind: "undo" }]);
  await send("POST /clock", { action: "advance", ms: 1 });
  expect(reported).toEqual([{ kind: "clock" }]);
});

test("an action that fails reports nothing", async () => {
  const { sandbox, send } = openControls();
  const reported: unknown[] = [];
  sandbox.watch((activity) => void reported.push(activity));
  for (const [route, body] of [
    ["POST /rewind", { before: 1 }],
    ["POST /undo", {}],
    ["POST /clock", { action: "run" }],
  ] as const)
    expect((await send(route, body)).status).toBe(400);
  expect(reported).toEqual([]);
});

test("forks are listed in the order in which they were created, each with its own paths", async () => {
  const { send } = openControls();
  expect((await send("GET /forks")).body).toEqual([]);
  const forkOf = (id: string) => ({
    id,
    path: `/forks/${id}`,
    services: {
      console: `/forks/${id}/console`,
      ledger: `/forks/${id}/ledger`,
      mapper: `/forks/${id}/mapper`,
      mobile: `/forks/${id}/mobile`,
    },
  });
  for (const id of ["1", "2"])
    expect(await send("POST /forks", {})).toEqual({ status: 201, body: forkOf(id) });
  expect((await send("GET /forks")).body).toEqual([forkOf("1"), forkOf("2")]);
  expect(await send("DELETE /forks/1")).toEqual({ status: 204, body: "" });
  expect((await send("GET /forks")).body).toEqual([forkOf("2")]);
});
