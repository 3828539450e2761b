import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonSyntaxError, parseJson, stringifyJson } from "./json.ts";

const RUNS = 120_000;
const TRAPS = [
  "9007199254740993",
  "12345678901234567890",
  "1234567890123456",
  "0",
  "-",
  ".5",
  "e1",
];
const SIGNS = ["[", "]", "{", "}", ",", ":", '"', "\\", " ", "\n", "a", "\u0091", "\\u0091"];
const NAMES = ['"__proto__":', '"\\u005f_proto__":', '"a":', "null", ", -9007199254740993 ,"];
const soup = fc.string({ unit: fc.constantFrom(...TRAPS, ...SIGNS, ...NAMES), maxLength: 24 });
const number = fc.tuple(fc.constantFrom("", "-"), fc.constantFrom(...TRAPS.slice(0, 4)));
const valid = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, depthSize: "medium" },
    number.map((parts) => parts.join("")),
    soup.map((text) => JSON.stringify(text)),
    fc.array(tie("json")).map((all) => `[ ${all.join(" ,")}]`),
    fc
      .array(fc.tuple(soup, tie("json")))
      .map((all) => `{${all.map(([key, json]) => `${JSON.stringify(key)}: ${json}`).join(",")} }`),
  ),
})).json;

test("any input is parsed, rejected and written as with a reviver and a replacer", () => {
  const seen = { parsed: 0, rejected: 0 };
  fc.assert(
    fc.property(fc.oneof(soup, valid), (text) => {
      let expected: unknown;
      try {
        expected = JSON.parse(text, reviver as never);
      } catch {
        seen.rejected++;
        expect(() => parseJson(text)).toThrow(JsonSyntaxError);
        return;
      }
      seen.parsed++;
      const actual = parseJson(text);
      expect(actual).toStrictEqual(expected);
      expect(stringifyJson(actual)).toBe(JSON.stringify(expected, replacer));
    }),
    { numRuns: RUNS },
  );
  expect(Math.min(seen.parsed, seen.rejected)).toBeGreaterThan(RUNS / 10);
}, 600_000);

function reviver(key: string, value: unknown, { source = "" }: { source?: string }): unknown {
  if (key === "__proto__") return undefined;
  const isLong = /^-?\d+$/.test(source) && !Number.isSafeInteger(value);
  return isLong ? BigInt(source) : value;
}

const { rawJSON } = JSON as unknown as { rawJSON: (json: string) => unknown };

function replacer(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return rawJSON(String(value));
  const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLarge ? rawJSON((value as number).toExponential()) : value;
}
