import { expect, onTestFinished, test, vi } from "vitest";
import { nameOf, playedText, ruleText } from "./fault-text.ts";
import { ageNote, cutMiddle, span, timeHead, times, zonedStamp } from "./format.ts";

const SECOND = 1_000;

test.each([
  [12 * SECOND, "12 s"],
  [90 * SECOND, "1.5 min"],
  [12 * 3_600 * SECOND, "12 h"],
  [36 * 3_600 * SECOND, "1.5 d"],
])("a span of %d ms is written in its largest unit", (ms, text) => {
  expect(span(ms)).toBe(text);
});

test.each([
  [-330, "2026-11-29 03:30:00 UTC+5:30", "Time, local"],
  [480, "2026-11-28 14:00:00 UTC−8", "Time, local"],
  [undefined, "2026-11-28 22:00:00 UTC", "Time, UTC"],
])("a time is written with its zone, %s minutes behind UTC", (offset, text, head) => {
  const time = Date.UTC(2026, 10, 28, 22);
  const zone = vi.spyOn(Date.prototype, "getTimezoneOffset").mockReturnValue(offset ?? 0);
  times.areLocal = offset !== undefined;
  onTestFinished(() => {
    zone.mockRestore();
    times.areLocal = false;
  });
  expect([zonedStamp(time), timeHead()]).toEqual([text, head]);
});

test("a long string keeps its start and its end", () => {
  expect(cutMiddle("http://127.0.0.1:3000/webhooks/fieldmesh", 21)).toBe("http://127…/fieldmesh");
  expect(cutMiddle("http://127.0.0.1:3000/", 22)).toBe("http://127.0.0.1:3000/");
});

test("a signature outside of the tolerance says that a receiver rejects it", () => {
  const now = Date.parse("2026-11-20T08:00:00Z");
  expect(ageNote(now - 300 * SECOND, now)).toBeUndefined();
  expect(ageNote(now - 7_200 * SECOND, now)).toBe(
    "Signed 2 h ago: a receiver rejects it. Use Deliver again.",
  );
  expect(ageNote(now + 86_400 * SECOND, now)).toMatch(/^Signed 1 d in the future/);
});

test("a rule reads as a sentence that begins with the name of its kind", () => {
  expect(ruleText({ kind: "lost", on: "devices.create", times: "all" })).toBe(
    "lost: do the work and drop the response, for devices.create, until it is switched off",
  );
  expect(ruleText({ kind: "status", status: 503, service: "console" })).toBe(
    "status 503: respond 503 without the work, for every request of console, once",
  );
  expect(ruleText({ kind: "status", status: 503, until: Date.UTC(2026, 10, 28, 19, 5) })).toBe(
    "status 503: respond 503 without the work, for every request, until 2026-11-28 19:05:00 UTC",
  );
  expect(ruleText({ kind: "delay", ms: 2_000, times: 3, skip: 4 })).toBe(
    "delay: do the work 2,000 ms late, for every request, 3 times, after the first 4",
  );
});

test("a request says what its fault did", () => {
  expect(playedText({ kind: "lost" })).toBe("did the work and dropped the response");
  expect(playedText({ kind: "status", status: 503, afterWork: true })).toBe(
    "did the work and responded 503",
  );
  expect(nameOf({ kind: "status", status: 429 })).toBe("status 429");
});
