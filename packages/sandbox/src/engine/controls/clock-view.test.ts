import { systemClock } from "@fieldmesh/core";
import { expect, test } from "vitest";
import { createSteerableClock } from "../time/steerable-clock.ts";
import { createVirtualClock } from "../time/virtual-clock.ts";
import { viewClock } from "./clock-view.ts";

const START = "2026-01-01T00:00:00Z";
const NOW = Date.parse(START);

test("a virtual clock moves only when it is advanced", () => {
  expect(viewClock(createVirtualClock(START))).toEqual({
    now: NOW,
    kind: "virtual",
    isPaused: true,
  });
});

test("a steerable clock shows whether it is paused", () => {
  const clock = createSteerableClock({ start: START, paused: true });
  expect(viewClock(clock)).toEqual({ now: NOW, kind: "steerable", isPaused: true });
  clock.run();
  expect(viewClock(clock)).toMatchObject({ kind: "steerable", isPaused: false });
});

test("a clock that cannot be set is that of the system", () => {
  const clock = { ...systemClock, now: () => 7 };
  expect(viewClock(clock)).toEqual({ now: 7, kind: "system", isPaused: false });
});
