import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { notify } from "./notify.ts";

const unhandled: unknown[] = [];
const keep = (error: unknown): void => void unhandled.push(error);
const print = vi.spyOn(console, "warn");

beforeEach(() => {
  print.mockReset().mockImplementation(() => {});
  process.on("unhandledRejection", keep);
});
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off("unhandledRejection", keep);
});

const boom = new Error("no disk");

test.each<[string, () => unknown]>([
  [
    "throws",
    () => {
      throw boom;
    },
  ],
  ["rejects", () => Promise.reject(boom)],
])("notify ignores a function that %s, and prints its first error", async (_how, watcher) => {
  for (let i = 0; i < 3; i++) notify("onReport", watcher, (call) => call());
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(unhandled).toEqual([]);
  expect(print.mock.calls).toEqual([[expect.stringContaining("onReport threw"), boom]]);
});

test("notify prints one line for each function, and none for a missing one", () => {
  const fail = (): (() => never) => () => {
    throw boom;
  };
  notify("one", fail(), (call) => call());
  notify("two", fail(), (call) => call());
  notify("three", undefined, () => fail()());
  expect(print.mock.calls.map(([line]) => String(line).split(" ")[0])).toEqual(["one", "two"]);
});

test("notify ignores a console that throws", async () => {
  print.mockImplementation(() => {
    throw boom;
  });
  const fail = (): never => {
    throw boom;
  };
  notify("sync", fail, (call) => call());
  notify(
    "async",
    () => Promise.reject(boom),
    (call) => call(),
  );
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(print).toHaveBeenCalledTimes(2);
  expect(unhandled).toEqual([]);
});
