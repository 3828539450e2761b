import { expect, test } from "vitest";
import { checkNames, nearest } from "./internal.ts";

const names = ["timeout", "totalTimeout", "headers"];
const check = (options: object) => checkNames("A client", options, names);

test("suggests the option with the most similar name", () => {
  expect(() => check({ timeOut: 1 })).toThrow(
    new TypeError('A client has no option "timeOut". Did you mean "timeout"?'),
  );
});

test("lists the options if none is similar", () => {
  expect(() => check({ agent: {} })).toThrow(
    'A client has no option "agent". Its options are timeout, totalTimeout, headers.',
  );
});

test("ignores undefined values, symbols and inherited names", () => {
  expect(() =>
    check(
      Object.assign(Object.create({ agent: 1 }), { timeout: 1, agent: undefined, [Symbol()]: 1 }),
    ),
  ).not.toThrow();
});

test("suggests nothing for a different word", () => {
  expect(nearest("abort", names)).toBeUndefined();
  expect(nearest("header", names)).toBe("headers");
});

test("accepts only an object as options", () => {
  expect(() => check("5s" as never)).toThrow(
    new TypeError("A client requires an object of options, such as { timeout }, not a string."),
  );
});

test.for([
  ["heders", "headers"],
  ["hedrs", undefined],
  ["headerz", "headers"],
  ["xheaders", "headers"],
  ["timout", "timeout"],
  ["totlTimeot", "totalTimeout"],
  ["totlTimoot", "totalTimeout"],
  ["ttlTimout", "totalTimeout"],
  ["ttlTmoot", undefined],
  ["", undefined],
  ["he", undefined],
] as const)("the suggestion for %s is %s", ([mistyped, meant]) => {
  expect(nearest(mistyped, names)).toBe(meant);
});

test("suggests the nearest of several names", () => {
  expect(nearest("headerss", ["headersxx", "headers"])).toBe("headers");
  expect(nearest("headerss", ["headers", "headersxx"])).toBe("headers");
  expect(nearest("abcd", ["abcx", "abcy"])).toBe("abcx");
});
