import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "./clock.ts";
import { describeNumber, describeValue } from "./describe-value.ts";
import { readBytes } from "./read-bytes.ts";
import { findSettingMistake } from "./setting-mistake.ts";

// Small helpers at each end of their ranges.

describe("a sleep", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each([0, -1, -Infinity, Number.NaN])(
    "of %d ms resolves at once and sets no timer",
    async (ms) => {
      const { signal } = new AbortController();
      await systemClock.sleep(ms, signal);
      expect(vi.getTimerCount()).toBe(0);
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
    },
  );

  test("of a millisecond ends after a millisecond and removes its listener", async () => {
    const { signal } = new AbortController();
    const ended = vi.fn();
    const sleeping = systemClock.sleep(1, signal).then(ended);
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).not.toHaveBeenCalled();
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await sleeping;
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  test("rejects with the reason of its signal, aborted before or during the sleep", async () => {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(5, controller.signal);
    controller.abort("enough");
    await expect(sleeping).rejects.toBe("enough");
    await expect(systemClock.sleep(5, controller.signal)).rejects.toBe("enough");
    await expect(systemClock.sleep(0, controller.signal)).rejects.toBe("enough");
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test.each([2 ** 31 - 1, 2 ** 31, 2 * (2 ** 31 - 1), 2 * (2 ** 31 - 1) + 1])(
    "of %d ms takes exactly that long",
    async (ms) => {
      const ended = vi.fn();
      void systemClock.sleep(ms).then(ended);
      await vi.advanceTimersByTimeAsync(ms - 1);
      expect(ended).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(ended).toHaveBeenCalled();
    },
  );
});

class Pool {
  size = 1;
}
class Iota extends Pool {}
class ENDPOINT extends Pool {}
class POINT extends Pool {}
const anonymous = (() => class extends Pool {})();

test.each<[unknown, string]>([
  [undefined, "undefined"],
  [null, "null"],
  [[], "an array"],
  ["x", "a string"],
  ["", "a string"],
  [5, "a number"],
  [5n, "a bigint"],
  [true, "a boolean"],
  [Symbol("x"), "a symbol"],
  [() => 5, "a function"],
  [{}, "an object"],
  [Object.create(null), "an object"],
  [{ constructor: undefined }, "an object"],
  [{ constructor: { name: 5 } }, "an object"],
  [{ constructor: { name: "" } }, "an object"],
  [new anonymous(), "an object"],
  [new Date(), "a Date"],
  [new Error("canary"), "an Error"],
  [new Pool(), "a Pool"],
  [new Iota(), "an Iota"],
  [new ENDPOINT(), "an ENDPOINT"],
  [new POINT(), "a POINT"],
  [
    {
      get constructor() {
        throw new Error("canary");
      },
    },
    "an object that cannot be read",
  ],
])("a message names the type of a value, and never shows the value: %#", (value, words) => {
  expect(describeValue(value)).toBe(words);
  if (typeof value !== "number") expect(describeNumber(value)).toBe(words);
});

test("a message shows a number where a number is expected", () => {
  expect([5, -0.5, Number.NaN, Infinity].map(describeNumber)).toEqual([
    "5",
    "-0.5",
    "NaN",
    "Infinity",
  ]);
});

describe("a setting", () => {
  test.each([
    "undefined1",
    "xundefined",
    "nullable",
    "annull",
    'a"b"',
    '"a"b',
    "\"a'",
    "'a",
    "`a",
    "${A}x",
    "x${A}",
    "${A",
    "$A1",
    "$a",
    "x$A",
    "%A",
    "%a%",
    "x%A%",
    "%A%x",
    "<a>b",
    "a<b>",
    "<a",
    "{{a}",
    "{{a}}b",
    "a{{b}}",
    "{a}",
    "a b",
    ".",
  ])("accepts %j", (text) => {
    expect(findSettingMistake(text)).toBeUndefined();
  });

  test.each<[string, string]>([
    ["", "is empty. Is the environment variable set?"],
    [" \n\t", "is empty. Is the environment variable set?"],
    [
      "undefined",
      "is the word undefined. Set the variable: an unset one was probably written into a string.",
    ],
    [
      "null",
      "is the word null. Set the variable: an unset one was probably written into a string.",
    ],
    ...['""', '"a"', "'a'", "`a`", '"a\nb"', '"a"b"'].map((text): [string, string] => [
      text,
      "is in quotes, which become part of the value. Remove them where you set the variable.",
    ]),
    ...["${A}", "${}", "$A", "$A_B", "%A%", "%A_B%", "<>", "<a b>", "{{a}}", "{{}}"].map(
      (text): [string, string] => [
        text,
        "is a placeholder that was never replaced. Set the variable that it names.",
      ],
    ),
  ])("with the value %j has a mistake", (text, mistake) => {
    expect(findSettingMistake(text)).toBe(mistake);
  });
});

test("readBytes reads a body up to its limit, and ignores a failing cancellation", async () => {
  const unhandled: unknown[] = [];
  const keep = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", keep);
  const bodyOf = (...sizes: number[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const size of sizes) controller.enqueue(new Uint8Array(size).fill(7));
        controller.close();
      },
      cancel: () => Promise.reject(new Error("canary")),
    });
  expect(await readBytes(bodyOf(), 0)).toEqual(new Uint8Array());
  expect(await readBytes(bodyOf(1), 0)).toBeUndefined();
  expect(await readBytes(bodyOf(2, 3), 5)).toEqual(new Uint8Array(5).fill(7));
  expect(await readBytes(bodyOf(2, 4), 5)).toBeUndefined();
  expect(await readBytes(bodyOf(6, 0), 5)).toBeUndefined();
  const open = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(3)),
    cancel: () => Promise.reject(new Error("canary")),
  });
  expect(await readBytes(open, 5)).toBeUndefined();
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("unhandledRejection", keep);
  expect(unhandled).toEqual([]);
});
