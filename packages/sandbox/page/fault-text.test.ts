import { expect, test } from "vitest";
import { nameOf, playedText, ruleText } from "./fault-text.ts";

test("a rule reads as a sentence that begins with the name of its kind", () => {
  expect(ruleText({ kind: "lost", on: "devices.create", times: "all" })).toBe(
    "lost: do the work and drop the response, for devices.create, until it is switched off",
  );
  expect(ruleText({ kind: "status", status: 503, service: "console" })).toBe(
    "status 503: respond 503 without the work, for every request of console, once",
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
