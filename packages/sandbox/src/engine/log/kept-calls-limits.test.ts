import { expect, test } from "vitest";
import * as z from "@fieldmesh/core/internal/zod";
import { endpoint, text } from "@fieldmesh/http/internal";
import type { Call } from "../serve/call.ts";
import { createKeptCalls, inputOf, isWhole, type KeptCall } from "./kept-calls.ts";

/** Bytes that a body takes besides its text. */
const OVERHEAD = 100;

function callOf(body: string, changes: object = {}): Call {
  const request = new Request("http://a.invalid/things/7", { method: "PUT" });
  const url = new URL(request.url);
  return { request, url, body, row: "things.set", input: {}, connection: {}, ...changes } as Call;
}

const textsOf = (kept: readonly KeptCall[]) => kept.map(({ body }) => body.text);

test("a call is kept once, without its connection and its parsed body", () => {
  const row = endpoint("PUT /things/:id", {
    path: { id: z.string() },
    query: { limit: z.optional(z.string()) },
    body: z.object({ name: z.string() }),
    result: text(),
  });
  const input = { id: "7", limit: "1", name: "a", more: "b" };
  const call = callOf('{"name":"a"}', {
    endpoint: row,
    input,
    connection: { remoteAddress: "10.0.0.1" },
  });
  const calls = createKeptCalls(Infinity);
  const kept = calls.keep(call);
  expect(kept).toStrictEqual({
    method: "PUT",
    url: call.url,
    headers: call.request.headers,
    remoteAddress: "10.0.0.1",
    row: "things.set",
    endpoint: row,
    place: { id: "7", limit: "1" },
    body: { text: '{"name":"a"}', length: 12 },
  });
  expect(calls.keep(call)).toBe(kept);
  expect(calls.keep(callOf("", { input })).place).toEqual({});
});

test.each([
  ["latin letters", "a".repeat(400), 500],
  ["letters with accents", "ÿ".repeat(400), 500],
  ["other letters", "Ā".repeat(400), 900],
  ["one other letter", `${"a".repeat(399)}日`, 900],
  ["control characters", "\0".repeat(400), 500],
])("a body takes its characters and %d bytes more: %s", (_name, body, size) => {
  for (const [limit, isKept] of [
    [2 * size, true],
    [2 * size - 1, false],
  ] as const) {
    const calls = createKeptCalls(limit);
    const kept = [calls.keep(callOf(body)), calls.keep(callOf(body))];
    expect(textsOf(kept)).toEqual([isKept ? body : undefined, body]);
  }
});

test("an empty body takes no room", () => {
  const calls = createKeptCalls(3 + OVERHEAD);
  const kept = calls.keep(callOf("abc"));
  for (let sent = 0; sent < 10; sent++) calls.keep(callOf(""));
  expect(kept.body).toEqual({ text: "abc", length: 3 });
});

test("one long body can take the room of several, the oldest first", () => {
  const calls = createKeptCalls(1_000);
  const kept = ["a", "b", "c", "d"].map((letter) => calls.keep(callOf(letter.repeat(100))));
  kept.push(calls.keep(callOf("e".repeat(500))));
  expect(textsOf(kept).map((body) => body?.[0])).toEqual([undefined, undefined, "c", "d", "e"]);
  expect(kept.map(({ body }) => body.length)).toEqual([100, 100, 100, 100, 500]);
});

test("a call that was kept twice is counted once", () => {
  const calls = createKeptCalls(450);
  const call = callOf("a".repeat(100));
  const first = calls.keep(call);
  calls.keep(call);
  calls.keep(call);
  calls.keep(callOf("b".repeat(100)));
  expect(first.body.text).toBe("a".repeat(100));
});

test("after hundreds of forgotten bodies, the room is the same", () => {
  const calls = createKeptCalls(3 * (1 + OVERHEAD));
  const kept = Array.from({ length: 600 }, (_, at) => calls.keep(callOf(String(at % 10))));
  expect(textsOf(kept).filter((body) => body !== undefined)).toEqual(["7", "8", "9"]);
});

test("the start of a body takes the room of the start", () => {
  const calls = createKeptCalls(10_000);
  const long = callOf("a".repeat(5_000));
  calls.keepStart(long);
  const kept = [calls.keep(long), calls.keep(callOf("b".repeat(10_000 - 1_024 - 2 * OVERHEAD)))];
  expect(kept[0]?.body).toEqual({ text: "a".repeat(1_024), length: 5_000 });
  expect(isWhole(kept[0]!.body)).toBe(false);
  calls.keep(callOf("c"));
  expect(textsOf(kept).map((body) => body?.[0])).toEqual([undefined, "b"]);
});

test.each([1_023, 1_024])("a body of %d characters is its own start", (length) => {
  const calls = createKeptCalls(10_000);
  const call = callOf("a".repeat(length));
  calls.keepStart(call);
  expect(calls.keep(call).body).toEqual({ text: "a".repeat(length), length });
});

test("a forgotten body has no start", () => {
  const calls = createKeptCalls(0);
  const call = callOf("a".repeat(5_000));
  const { body } = calls.keep(call);
  calls.keep(callOf("b"));
  calls.keepStart(call);
  expect(body).toEqual({ text: undefined, length: 5_000 });
});

test("after a clear, the whole room is free, and earlier bodies stay", () => {
  const calls = createKeptCalls(2 * (100 + OVERHEAD));
  const send = () => calls.keep(callOf("a".repeat(100)));
  const earlier = [send(), send(), send()];
  calls.clear();
  const later = [send(), send()];
  expect(textsOf(earlier).map((body) => body?.length)).toEqual([undefined, 100, 100]);
  expect(textsOf(later).map((body) => body?.length)).toEqual([100, 100]);
  later.push(send());
  expect(textsOf(later).map((body) => body?.length)).toEqual([undefined, 100, 100]);
  expect(textsOf(earlier).map((body) => body?.length)).toEqual([undefined, 100, 100]);
});

test.each([
  [{ text: "", length: 0 }, true],
  [{ text: "ab", length: 2 }, true],
  [{ text: "a", length: 2 }, false],
  [{ text: undefined, length: 2 }, false],
])("nothing of a body was forgotten if it has its length: %j", (body, expected) => {
  expect(isWhole(body)).toBe(expected);
});

test.each<[string, string | undefined, string | undefined, object]>([
  ["a JSON body", "application/json", '{"name":"a","id":"8"}', { name: "a", id: "7" }],
  ["no content type", undefined, '{"name":"a"}', { id: "7" }],
  ["text", "text/plain", '{"name":"a"}', { id: "7" }],
  ["a body that is not JSON", "application/json", "{", { id: "7" }],
  ["a JSON body that is no record", "application/json", "[1]", { id: "7" }],
  ["an empty body", "application/json", "", { id: "7" }],
  ["a forgotten body", "application/json", undefined, { id: "7" }],
])("the input of a call is parsed again: %s", (_name, type, body, input) => {
  const headers = new Headers(type === undefined ? {} : { "content-type": type });
  const kept = { headers, place: { id: "7" }, body: { text: body, length: 0 } };
  expect(inputOf(kept as unknown as KeptCall)).toEqual(input);
});
