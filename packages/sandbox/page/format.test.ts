import { expect, test } from "vitest";
import { ageNote, cutMiddle, span } from "./format.ts";

const SECOND = 1_000;

test.each([
  [12 * SECOND, "12 s"],
  [90 * SECOND, "1.5 min"],
  [12 * 3_600 * SECOND, "12 h"],
  [36 * 3_600 * SECOND, "1.5 d"],
])("a span of %d ms is written in its largest unit", (ms, text) => {
  expect(span(ms)).toBe(text);
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
