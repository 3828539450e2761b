import assert from "node:assert/strict";
import { format, inspect } from "node:util";
import { expect, test, vi } from "vitest";
import { stringifyJson } from "./json.ts";
import { isSecret, revealText, Secret } from "./secret.ts";
import fc from "fast-check";
import { equalText } from "./equal-text.ts";

const VALUE = "canary-4711";
const secret = new Secret(VALUE);

test("only reveal returns the value", () => {
  expect(secret.reveal()).toBe(VALUE);
  const holders = { secret, list: [secret], map: new Map([["k", secret]]), set: new Set([secret]) };
  const error = new Error("with a cause", { cause: { secret } });
  const printed = [
    String(secret),
    `a ${secret as unknown as string}`,
    "" + (secret as never),
    JSON.stringify(holders),
    inspect(holders, { depth: Infinity, showHidden: true, getters: true }),
    inspect(error, { depth: Infinity, showHidden: true }),
    format("%s %o %O %j %d", secret, secret, secret, secret, secret),
    Object.values(secret).map(String).join(),
    inspect(Object.getOwnPropertyDescriptors(secret)),
    String(error.stack),
  ].join("\n");
  expect(printed).not.toContain(VALUE);
  expect(printed).toContain("[redacted]");
});

test("every way to print a Secret prints the same placeholder", () => {
  const said = "[redacted]";
  expect(String(secret)).toBe(said);
  expect(`a ${secret as unknown as string}`).toBe(`a ${said}`);
  expect(secret.toString()).toBe(said);
  expect(secret.toJSON()).toBe(said);
  expect(secret[Symbol.toPrimitive]()).toBe(said);
  expect(JSON.stringify({ secret })).toBe(`{"secret":"${said}"}`);
  expect(inspect(secret)).toBe(said);
  expect(inspect({ secret }, { depth: 0 })).toBe(`{ secret: ${said} }`);
  expect(format("%s %o %j", secret, secret, secret)).toBe(`${said} ${said} "${said}"`);
});

test("runners of tests distinguish two secrets by their values", () => {
  expect(new Secret("a")).toEqual(new Secret("a"));
  expect(new Secret("a")).not.toEqual(new Secret("b"));
  expect({ key: new Secret("a") }).not.toEqual({ key: new Secret("b") });
  assert.deepStrictEqual(new Secret("a"), new Secret("a"));
  assert.notDeepStrictEqual(new Secret("a"), new Secret("b"));
});

test("a failed comparison shows no value", () => {
  try {
    expect({ key: secret }).toEqual({ key: new Secret("other") });
  } catch (error) {
    expect(`${(error as Error).message} ${(error as Error).stack}`).not.toContain(VALUE);
    return;
  }
  expect.unreachable();
});

test("equals compares values, also with a string", () => {
  expect(secret.equals(new Secret(VALUE))).toBe(true);
  expect(secret.equals(VALUE)).toBe(true);
  expect(secret.equals("canary-4712")).toBe(false);
  expect(secret.equals("")).toBe(false);
});

test("structuredClone throws instead of losing the value silently", () => {
  expect(() => structuredClone({ secret })).toThrow("could not be cloned");
});

test("isSecret accepts a secret of another copy of this package", async () => {
  vi.resetModules();
  const other = await import("./secret.ts");
  expect(other.Secret).not.toBe(Secret);
  const foreign = new other.Secret(VALUE);
  expect(isSecret(foreign)).toBe(true);
  expect(revealText(foreign)).toBe(VALUE);
  expect(secret.equals(foreign)).toBe(true);
  expect(stringifyJson({ foreign }, { reveal: true })).toBe(`{"foreign":"${VALUE}"}`);
});

test("isSecret rejects an object that only looks like a secret", () => {
  for (const value of [null, undefined, VALUE, {}, { reveal: () => VALUE }, [secret]]) {
    expect(isSecret(value)).toBe(false);
  }
});

test.each([
  ["ab", "ab"],
  ["ab", "ac"],
  ["bb", "ab"],
  ["ab", "abc"],
  ["abc", "ab"],
  ["", ""],
  ["", "a"],
  ["a", ""],
  ["\0", ""],
  ["", "\0"],
  // The low byte is the same, the character is not.
  ["ġ", "!"],
])("compares %j with %j", (a, b) => {
  expect(equalText(a, b)).toBe(a === b);
});

test("returns what === returns, for any strings", () => {
  const text = fc.string({ unit: "binary", maxLength: 3 });
  fc.assert(fc.property(text, text, (a, b) => equalText(a, b) === (a === b)));
  fc.assert(fc.property(fc.string(), (a) => equalText(a, a.split("").join(""))));
});
