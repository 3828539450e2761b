import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tell } from "./tell.ts";

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
  [
    "returns an object whose then cannot be read",
    () => ({
      // oxlint-disable-next-line unicorn/no-thenable -- what is tested
      get then() {
        throw boom;
      },
    }),
  ],
])(
  "a function that %s does so without effect, and its first error is printed",
  async (_how, watcher) => {
    for (let i = 0; i < 3; i++) tell("onReport", watcher, (call) => call());
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(unhandled).toEqual([]);
    expect(print.mock.calls).toEqual([[expect.stringContaining("onReport threw"), boom]]);
  },
);

test("each function has its own line, and a missing one has none", () => {
  const fail = (): (() => never) => () => {
    throw boom;
  };
  tell("one", fail(), (call) => call());
  tell("two", fail(), (call) => call());
  tell("three", undefined, () => fail()());
  expect(print.mock.calls.map(([line]) => String(line).split(" ")[0])).toEqual(["one", "two"]);
});

test("a console that throws, and an error that cannot be printed, change nothing either", async () => {
  print.mockImplementation(() => {
    throw boom;
  });
  const fail = (): never => {
    throw boom;
  };
  tell("sync", fail, (call) => call());
  tell(
    "async",
    () => Promise.reject(boom),
    (call) => call(),
  );
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(print).toHaveBeenCalledTimes(2);
  expect(unhandled).toEqual([]);
});
