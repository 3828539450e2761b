import { expect, test } from "vitest";
import { watchOrder } from "./list-order.ts";

const MOST = 100;
// Far from 0, as the times of events are.
const START = 1_000_000;

function seen(...times: number[]) {
  const order = watchOrder(MOST);
  for (const time of times) order.add(START + time);
  return order;
}

/** Times that go forward, with a step back of this length somewhere. */
const forward = (steps: number, back: number) => [
  ...Array.from({ length: steps }, (_, index) => index * 1_000),
  (steps - 1) * 1_000 - back,
];
const backward = (steps: number, on: number) => forward(steps, on).map((time) => -time);

test("without two different times, a list has no order, and contradicts none", () => {
  for (const order of [seen(), seen(1), seen(1, 1, 1)]) {
    expect(order.order()).toBe("none");
    expect(order.contradicts("oldest_first")).toBe(false);
    expect(order.contradicts("newest_first")).toBe(false);
  }
});

test("a time that cannot be read is left out", () => {
  expect(seen(1, Number.NaN, 2).order()).toBe("oldest_first");
});

test.for([
  [[1, 2, 3], "oldest_first"],
  [[3, 2, 1], "newest_first"],
  [[1, 2, 1, 2], "none"],
  // One step in twenty may go the other way, by as much as an event may be late.
  [forward(20, MOST), "oldest_first"],
  [forward(19, MOST), "none"],
  [forward(20, MOST + 1), "none"],
  [backward(20, MOST), "newest_first"],
  [backward(19, MOST), "none"],
  [backward(20, MOST + 1), "none"],
] as const)("%j is in the order %s", ([times, expected]) => {
  const order = seen(...times);
  expect(order.order()).toBe(expected);
  expect(order.contradicts("oldest_first")).toBe(expected !== "oldest_first");
  expect(order.contradicts("newest_first")).toBe(expected !== "newest_first");
});
