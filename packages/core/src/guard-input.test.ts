import { describe, expect, test } from "vitest";
import { FieldmeshError } from "./error.ts";
import { MAX_PROBLEMS, firstProblems, sayMore } from "./first-problems.ts";
import { guardInput, isOurs } from "./guard-input.ts";
import { UNREADABLE } from "./mistake.ts";
import { hasMethod, isRecord, memberOf, readRecord, recordOf } from "./record.ts";
import { requireOptions } from "./option-names.ts";

const fails =
  (error: unknown): (() => never) =>
  () => {
    throw error;
  };
const getter = {
  get key() {
    return fails(new TypeError("canary"))();
  },
};
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

describe("guardInput", () => {
  test("returns what the function returns", () => {
    expect(guardInput("It", getter, () => 5)).toBe(5);
  });

  test.each([
    ["a plain value", { a: [1, "x", null, undefined, { b: new Date() }] }],
    ["undefined", undefined],
    [
      "a class",
      class Pool {
        size = 1;
      },
    ],
    ["a function", () => 1],
    ["a map", new Map()],
    ["the same part twice", [[getter.constructor], [getter.constructor]]],
    ["a deep value", Array.from({ length: 30 }).reduce((inner) => ({ inner }), {})],
  ])("throws the function's TypeError unchanged if the value is %s", (_, given) => {
    const error = new TypeError("ours");
    expect(() => guardInput("It", given, fails(error))).toThrow(error);
  });

  test.each<[string, unknown]>([
    ["a getter that throws", getter],
    ["a getter that throws in a list", [[getter]]],
    [
      "a getter that throws on a function",
      Object.defineProperties(() => 1, Object.getOwnPropertyDescriptors(getter)),
    ],
    ["a revoked proxy", revoked],
    ["a revoked proxy in a record", { a: revoked }],
    ["a proxy without a prototype", new Proxy({}, { getPrototypeOf: fails(new Error("canary")) })],
    ["a proxy without keys", new Proxy({}, { ownKeys: fails(new Error("canary")) })],
    [
      "a class whose name cannot be read",
      Object.create({
        get constructor() {
          return fails(new Error("canary"))();
        },
      }),
    ],
    [
      "a toJSON that throws",
      Object.create({
        get toJSON() {
          return fails(new Error("canary"))();
        },
      }),
    ],
  ])("reports that the value cannot be read if it is or contains %s", (_, given) => {
    const guarded = () => guardInput("The input", given, fails(new TypeError("canary")));
    expect(guarded).toThrow(new TypeError(`The input ${UNREADABLE}`));
    expect(guarded).not.toThrow("canary");
  });

  test.each([
    [7, UNREADABLE],
    [8, "ours"],
  ])("reads eight levels of a value, checked with a getter below %i objects", (levels, message) => {
    const given = Array.from({ length: levels }).reduce<object>((inner) => ({ inner }), getter);
    expect(() => guardInput("It", given, fails(new TypeError("ours")))).toThrow(message);
  });

  test("reports that a circular value cannot be read", () => {
    const circular: { self?: unknown } = {};
    circular.self = [circular];
    expect(() => guardInput("It", circular, fails(new TypeError("x")))).toThrow(UNREADABLE);
  });

  test("hides an error that is neither a TypeError nor an error of fieldmesh", () => {
    expect(() => guardInput("It", {}, fails(new Error("canary")))).toThrow(UNREADABLE);
    expect(() => guardInput("It", {}, fails("canary"))).toThrow(UNREADABLE);
  });

  test("throws an error of fieldmesh unchanged for any value", () => {
    const error = new FieldmeshError("ours");
    expect(() => guardInput("It", revoked, fails(error))).toThrow(error);
    expect(isOurs(error, revoked)).toBe(true);
    expect(isOurs(new Error("x"), {})).toBe(false);
    expect(isOurs(revoked, {})).toBe(false);
  });

  test("reads only the first part of a large value", () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [index, 1]));
    Object.defineProperty(many, "last", { get: fails(new Error("canary")), enumerable: true });
    expect(isOurs(new TypeError("ours"), many)).toBe(true);
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

test("requireOptions accepts an object, and otherwise names the type that it received", () => {
  const options = { baseUrl: "x" };
  expect(requireOptions("create", options, "such as { baseUrl }")).toBe(options);
  expect(() => requireOptions("create", "key", "such as { baseUrl }")).toThrow(
    new TypeError("create requires an object of options, such as { baseUrl }, not a string."),
  );
  expect(() => requireOptions("create", undefined, "such as {}")).toThrow("not undefined.");
});

test("hasMethod accepts any value", () => {
  expect(hasMethod(new Map(), "get")).toBe(true);
  for (const value of [new Map([["got", 1]]), { got: 1 }, null, revoked])
    expect(hasMethod(value, "got")).toBe(false);
});

test("isRecord returns false for a revoked proxy", () => {
  expect(isRecord(revoked)).toBe(false);
});
