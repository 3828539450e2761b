import { describe, expect, test } from "vitest";
import { FieldmeshError } from "./error.ts";
import { MAX_PROBLEMS, firstProblems, sayMore } from "./first-problems.ts";
import { mistake, readInput, UNREADABLE } from "./mistake.ts";
import { hasMethod, isRecord, memberOf, readRecord, recordOf } from "./record.ts";
import { describeValue, findSettingMistake } from "./internal.ts";

const fails =
  (error: unknown): (() => never) =>
  () => {
    throw error;
  };
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

describe("readInput", () => {
  test("returns what the function returns", () => {
    expect(readInput("It", () => 5)).toBe(5);
  });

  test("lets only errors with the mark pass, and those of fieldmesh", () => {
    for (const error of [mistake("ours"), new FieldmeshError("ours")])
      expect(() => readInput("It", fails(error))).toThrow(error);
  });

  test("replaces what a getter throws", () => {
    for (const thrown of [new TypeError("canary"), new Error("canary"), "canary", revoked, null])
      expect(() => readInput("The input", fails(thrown))).toThrow(`The input ${UNREADABLE}`);
  });
});

describe("problems", () => {
  const list = (length: number) =>
    Array.from({ length }, (_, index) => ({ path: `p${index}`, message: "wrong" }));

  test("are all named, up to the maximum", () => {
    expect(firstProblems(list(MAX_PROBLEMS))).toEqual(list(MAX_PROBLEMS));
  });

  test("end with a sentence that says that there are more", () => {
    expect(firstProblems(list(MAX_PROBLEMS + 1))).toEqual([
      ...list(MAX_PROBLEMS - 1),
      { path: "", message: "has more problems, which are not listed" },
    ]);
  });

  test("that a message leaves out are counted as far as they are known", () => {
    expect(sayMore(list(8), 5)).toBe("and 3 more");
    expect(sayMore(list(MAX_PROBLEMS - 1), 5)).toBe("and 14 more");
    expect(sayMore(list(MAX_PROBLEMS), 5)).toBe("and at least 15 more");
  });
});

test("readRecord and recordOf return an empty record for anything but a record", () => {
  expect(readRecord('{"a":1}')).toEqual({ a: 1 });
  for (const json of ["[1]", "null", '"x"', "<html>", ""]) expect(readRecord(json)).toEqual({});
  for (const value of [[1], null, "x", revoked]) expect(recordOf(value)).toEqual({});
});

test("memberOf reads a member of any value", () => {
  expect(memberOf({ a: 1 }, "a")).toBe(1);
  for (const value of [null, undefined, 5, revoked]) expect(memberOf(value, "a")).toBeUndefined();
});

test("hasMethod accepts any value", () => {
  expect(hasMethod(new Map(), "get")).toBe(true);
  for (const value of [new Map([["got", 1]]), { got: 1 }, null, revoked])
    expect(hasMethod(value, "got")).toBe(false);
});

test("isRecord returns false for a revoked proxy", () => {
  expect(isRecord(revoked)).toBe(false);
});

test.for([
  ["", "is empty"],
  [" ", "is empty"],
  ["undefined", "is the word undefined"],
  ["null", "is the word null"],
  ['"abc"', "is in quotes"],
  ["'abc'", "is in quotes"],
  ["${API_KEY}", "is a placeholder"],
  ["$API_KEY", "is a placeholder"],
  ["%API_KEY%", "is a placeholder"],
  ["<your key>", "is a placeholder"],
  ["{{ api_key }}", "is a placeholder"],
  ["$KEY_A", "is a placeholder"],
  ["`abc`", "is in quotes"],
  ['"a\nb"', "is in quotes"],
])("reports the mistake in %s, and says what to do", ([text = "", problem = ""]) => {
  expect(findSettingMistake(text)).toContain(problem);
  expect(findSettingMistake(text)).toMatch(/[.?]$/);
});

test.for([
  "key<abc>",
  "<abc>key",
  "x${KEY}",
  "${KEY}x",
  "key$KEY",
  "$KEY-1",
  "x%KEY%",
  "%KEY%x",
  "x{{key}}",
  "{{key}}x",
  "x'abc'",
  "'abc'x",
  "nullable",
  "not null",
  "abc",
  "$2b$10$abc",
  "a'b",
  '"',
  "undefined-key",
  "https://console.example.com",
])("reports no mistake in %s", (text) => expect(findSettingMistake(text)).toBeUndefined());

test.for<[unknown, string]>([
  [undefined, "undefined"],
  [null, "null"],
  ["canary", "a string"],
  [5, "a number"],
  [["canary"], "an array"],
  [{ canary: 1 }, "an object"],
  [Object.create(null), "an object"],
  [new Error("canary"), "an Error"],
  [new Map(), "a Map"],
  [Object.create({ constructor: () => 1 }), "a constructor"],
  [Object.create({ constructor: { name: "" } }), "an object"],
  [Object.create({ constructor: { name: 5 } }), "an object"],
  [new URL("https://canary.example"), "an URL"],
  [true, "a boolean"],
  [() => 1, "a function"],
])("a description names the type of a value, %#", ([value, text]) => {
  expect(describeValue(value)).toBe(text);
});
