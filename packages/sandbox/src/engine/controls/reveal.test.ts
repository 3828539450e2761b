import { expect, test } from "vitest";
import type { RequestDetails } from "../log/logged-request.ts";
import { revealInEvent, revealValue } from "./reveal.ts";

const NOTHING = new TypeError("There is no such value.");

const body = { name: "Tank", "a/b": { "~": 1, "~1": 2 }, list: [{ id: 7 }], none: null, empty: "" };

const details = {
  request: { headers: { key: "sent", empty: "" }, body: JSON.stringify(body) },
  call: { url: new URL("https://a.invalid/?app_key=1&empty=&app_key=2") },
  input: {},
  response: { headers: { "x-more": "received" }, body: "not JSON", length: 8 },
} as unknown as RequestDetails;

type Place = readonly [of: string, part: string, name: string];

test.each<[...Place, unknown]>([
  ["request", "header", "key", "sent"],
  ["request", "header", "empty", ""],
  ["response", "header", "x-more", "received"],
  ["request", "query", "app_key", "1"],
  ["request", "query", "empty", ""],
  ["request", "body", "", body],
  ["request", "body", "/name", "Tank"],
  ["request", "body", "/list/0/id", 7],
  ["request", "body", "/none", null],
  ["request", "body", "/empty", ""],
  ["request", "body", "/a~1b/~0", 1],
  ["request", "body", "/a~1b/~01", 2],
  ["response", "body", "", "not JSON"],
])("a value is revealed as it was sent: %s %s %j", (of, part, name, value) => {
  expect(revealValue(details, { of, part, name })).toEqual(value);
});

test.each<Place>([
  ["request", "header", "x-more"],
  ["response", "header", "key"],
  ["request", "header", "constructor"],
  ["request", "query", "other"],
  ["request", "query", "constructor"],
  ["request", "body", "/other"],
  ["request", "body", "/name/0"],
  ["request", "body", "/name/length"],
  ["request", "body", "/none/0"],
  ["request", "body", "/list/1"],
  ["request", "body", "/list/length/0"],
  ["request", "body", "/toString"],
  ["response", "body", "/0"],
])("a value that does not exist is not revealed: %s %s %j", (of, part, name) => {
  expect(() => revealValue(details, { of, part, name })).toThrow(NOTHING);
});

test.each<Place>([
  ["response", "header", "x-more"],
  ["response", "query", "app_key"],
  ["response", "body", ""],
])("nothing of a response that never came is revealed: %s %s %j", (of, part, name) => {
  const unanswered = { ...details, response: undefined };
  expect(() => revealValue(unanswered, { of, part, name })).toThrow(NOTHING);
});

test("nothing of a body that was forgotten is revealed", () => {
  const forgotten = { ...details, request: { ...details.request, body: undefined } };
  expect(() => revealValue(forgotten, { of: "request", part: "body", name: "" })).toThrow(NOTHING);
});

test.each([
  [{ of: "trailer", part: "body", name: "" }, "of"],
  [{ of: "request", part: "trailer", name: "" }, "part"],
  [{ of: "request", part: "body" }, "name"],
  [{ of: "request", part: "body", name: 7 }, "name"],
  [{ of: "request", part: "body", name: "", more: 1 }, "more"],
])("a place that is not valid is named: %j", (place, name) => {
  expect(() => revealValue(details, place)).toThrow(
    new TypeError(`Check ${name}: it is missing, unknown or not valid.`),
  );
});

test("a value of an event is revealed by its pointer", () => {
  const event = { id: "evt_1", data: { object: { msisdn: "+1" } } };
  expect(revealInEvent(event, { name: "/data/object/msisdn" })).toBe("+1");
  expect(revealInEvent(event, { name: "" })).toBe(event);
  expect(() => revealInEvent(event, { name: "/data/code" })).toThrow(NOTHING);
  expect(() => revealInEvent(undefined, { name: "" })).toThrow(NOTHING);
  expect(() => revealInEvent(undefined, { name: "/id" })).toThrow(NOTHING);
  for (const place of [{}, { name: 7 }])
    expect(() => revealInEvent(event, place)).toThrow("Check name: it is missing");
  expect(() => revealInEvent(event, { name: "", more: 1 })).toThrow("Check more: it is missing");
});
