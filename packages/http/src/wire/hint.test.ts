import { expect, test } from "vitest";
import { readHint, readRateLimitReset, readRetryAfter } from "./hint.ts";

const now = Date.parse("2026-11-20T08:00:00Z");
const waitOf = (headers: Record<string, string>) => readRetryAfter(new Headers(headers), now);

test.each([
  ["0", 0],
  ["5", 5_000],
  ["1.5", 1_500],
  ["", undefined],
  ["-5", undefined],
  ["5s", undefined],
  [".5", undefined],
  ["1e3", undefined],
  ["1,5", undefined],
  ["2026-11-20T08:00:30Z", undefined],
  ["Fri, 20 Nov 2026 08:00:30 GMT", 30_000],
  ["Fri, 20 Nov 2026 07:59:30 GMT", 0],
  ["Friday, 20-Nov-26 08:00:30 GMT", 30_000],
  ["Fri Nov 20 08:00:30 2026", 30_000],
  // Date.parse reads these as dates.
  ["later 99999", undefined],
  ["Fri, 20 Nov 2026 08:00:30", undefined],
  ["Fri Nov 20 08:00:30 2026 +0100", undefined],
  ["Xyz, 99 Abc 2026 08:00:30 GMT", undefined],
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
  ["1.5", undefined],
  ["3600", 3_600_000],
  ["3601", undefined],
  ["1795161600", undefined],
  ["30x", undefined],
])("RateLimit-Reset: %s is a wait of %s ms", (value, wait) => {
  expect(readRateLimitReset(new Headers({ "ratelimit-reset": value }))).toBe(wait);
});

const respond = (status: number, headers: Record<string, string>) =>
  ({ status, headers: new Headers(headers) }) as never;

test("the service's own hint wins over Retry-After, and that over RateLimit-Reset", () => {
  const headers = { "retry-after": "5", "ratelimit-reset": "7" };
  expect(readHint(respond(429, headers), () => 3)).toBe(3);
  expect(readHint(respond(429, headers), () => undefined)).toBe(5_000);
  expect(readHint(respond(429, { "ratelimit-reset": "7" }))).toBe(7_000);
});

test("a hint is at most a year, so that it is a valid date", () => {
  expect(readHint(respond(429, { "retry-after": "9".repeat(30) }))).toBe(365 * 86_400_000);
});
