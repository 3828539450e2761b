import { expect, test } from "vitest";
import { readRateLimitReset, readRetryAfter } from "./hint.ts";

const now = Date.parse("2026-11-20T08:00:00Z");
const waitOf = (headers: Record<string, string>) => readRetryAfter(new Headers(headers), now);

test.each([
  ["0", 0],
  ["5", 5_000],
  ["1.5", 1_500],
  ["12.25", 12_250],
  ["", undefined],
  ["-5", undefined],
  ["+5", undefined],
  ["5s", undefined],
  ["s5", undefined],
  [".5", undefined],
  ["5.", undefined],
  ["1e3", undefined],
  ["1,5", undefined],
  ["2026-11-20T08:00:30Z", undefined],
  ["soon", undefined],
  ["Fri, 20 Nov 2026 08:00:30 GMT", 30_000],
  ["Fri, 20 Nov 2026 07:59:30 GMT", 0],
])("Retry-After: %s is a wait of %s ms", (value, wait) => {
  expect(waitOf({ "retry-after": value })).toBe(wait);
});

test("without a header, there is no wait", () => {
  expect(waitOf({})).toBeUndefined();
  expect(readRateLimitReset(new Headers())).toBeUndefined();
});

test("a date is compared with the server's clock if the response has a Date header", () => {
  const value = "Fri, 20 Nov 2026 08:00:30 GMT";
  expect(waitOf({ "retry-after": value, date: "Fri, 20 Nov 2026 08:00:20 GMT" })).toBe(10_000);
  expect(waitOf({ "retry-after": value, date: "Fri, 20 Nov 2026 08:00:40 GMT" })).toBe(0);
  expect(waitOf({ "retry-after": value, date: "today" })).toBe(30_000);
});

test.each([
  ["0", 0],
  ["30", 30_000],
  ["", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  ["30x", undefined],
  ["x30", undefined],
])("RateLimit-Reset: %s is a wait of %s ms", (value, wait) => {
  expect(readRateLimitReset(new Headers({ "ratelimit-reset": value }))).toBe(wait);
});

/** Header values with whitespace, as a custom fetch may return them in place of Headers. */
test("whitespace around a value is ignored", () => {
  const padded = { get: (name: string) => (name === "date" ? null : " 5 ") } as Headers;
  expect(readRetryAfter(padded, now)).toBe(5_000);
  expect(readRateLimitReset(padded)).toBe(5_000);
});
