import { expect, test } from "vitest";
import { jsonResponse, textResponse } from "../serve/responses.ts";
import { keepResponses } from "./kept-responses.ts";

/** The longest body that is kept. */
const LONGEST = 65_536;
const longest = "x".repeat(LONGEST);

test("a response is kept with its headers, its body and the length of it", () => {
  const keep = keepResponses();
  expect(keep(jsonResponse({ a: 1 }, { headers: { "x-more": "7" } }))).toEqual({
    headers: { "content-type": "application/json; charset=utf-8", "x-more": "7" },
    body: '{"a":1}',
    length: 7,
  });
  expect(keep(new Response(null, { status: 204 }))).toEqual({ headers: {}, body: "", length: 0 });
});

test("of a body that is too long, only the length is kept", () => {
  const keep = keepResponses();
  expect(keep(textResponse(longest))).toEqual({ headers: {}, body: longest, length: LONGEST });
  expect(keep(textResponse(`${longest}x`))).toEqual({
    headers: {},
    body: undefined,
    length: LONGEST + 1,
  });
});

test("a body that a fault has replaced has no length", () => {
  const response = new Response("other", { headers: { "content-type": "text/plain" } });
  expect(keepResponses()(response)).toEqual({
    headers: { "content-type": "text/plain" },
    body: undefined,
    length: undefined,
  });
});

test("beyond 16 million characters, the older half of the bodies is forgotten, and lengths stay", () => {
  const keep = keepResponses();
  // One that is not kept takes no room.
  keep(textResponse(`${longest}x`));
  const kept = Array.from({ length: 256 }, () => keep(textResponse(longest)));
  const forgotten = () => kept.filter(({ body }) => body === undefined).length;
  expect(forgotten()).toBe(0);
  kept.push(keep(textResponse("x")));
  expect(forgotten()).toBe(129);
  expect(kept.findLastIndex(({ body }) => body === undefined)).toBe(128);
  expect(kept[0]).toEqual({ headers: {}, body: undefined, length: LONGEST });
  // What was forgotten has left room for as much.
  for (let sent = 0; sent < 128; sent++) kept.push(keep(textResponse(longest)));
  expect(forgotten()).toBe(129);
  kept.push(keep(textResponse(longest)));
  expect(forgotten()).toBeGreaterThan(129);
});
