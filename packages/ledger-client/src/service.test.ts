import { expect, test } from "vitest";
import { ledgerService } from "./service.ts";

type RawResponse = Parameters<typeof ledgerService.readError>[0];

/** A body that is not a string is sent as JSON. */
function response(body: unknown, status = 400): RawResponse {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { status, headers: new Headers(), body: text } as Partial<RawResponse> as RawResponse;
}
const readError = (body: unknown, status?: number, meaning?: string) =>
  ledgerService.readError(response(body, status), meaning, String);
const hintOf = (body: unknown) => ledgerService.readRetryHint?.(response(body, 429));

test("is named the ledger in messages", () => {
  expect(ledgerService.name).toBe("the ledger");
});

test.each([0, 0.5, 1, 80, 60_000])("come_back_in_ms: %d is the wait in milliseconds", (wait) => {
  expect(hintOf({ error: "Too Busy", come_back_in_ms: wait })).toBe(wait);
});

test.each<[string, unknown]>([
  ["a negative number", { come_back_in_ms: -1 }],
  ["a string", { come_back_in_ms: "80" }],
  ["null", { come_back_in_ms: null }],
  ["missing", { error: "Too Busy" }],
  ["in a body that is null", null],
  ["in a body of HTML", "<html>"],
])("come_back_in_ms is no hint if it is %s", (_, body) => {
  expect(hintOf(body)).toBeUndefined();
});

test.each([
  ["Bad Request", "bad_request", "bad request", undefined],
  ["Cursor Expired", "cursor_expired", "cursor expired", undefined],
  ["NOT FOUND", "not_found", "not found", undefined],
  ["conflict", "conflict", "conflict", undefined],
  ["Too Busy", "too_busy", "too busy", "The ledger is busy; call again later."],
])("the error %j has a code, a message and advice", (error, code, message, advice) => {
  expect(readError({ error }, 503)).toEqual({ code, message, advice });
  expect(readError({ error }, 503, "Block not found")).toEqual({
    code,
    message: "Block not found",
    advice,
  });
});

test.each<[string, unknown]>([
  ["an unknown error", { error: "Not Found: k3y" }],
  ["an error that is not a string", { error: ["not found"] }],
  ["a body without an error", { message: "not found" }],
  ["a body that is null", null],
  ["a body that is a string", "not found"],
])("%s has neither a code nor a message of its own", (_, body) => {
  expect(readError(body, 404)).toEqual({});
  expect(readError(body, 404, "Account not found")).toEqual({ message: "Account not found" });
});

test("a 429 has its code and the message of the row, or else too many requests, without advice", () => {
  expect(readError({ error: "Too Busy" }, 429)).toEqual({
    code: "too_busy",
    message: "too many requests",
  });
  expect(readError({ error: "Too Busy" }, 429, "Slow down")).toEqual({
    code: "too_busy",
    message: "Slow down",
  });
  expect(readError("<html>", 429)).toEqual({ message: "too many requests" });
  expect(readError("<html>", 428)).toEqual({});
});
