import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "recheck";
import { expect, test } from "vitest";
import { findExpressions, type Expression } from "./expressions.ts";
import { root } from "./packages.ts";

// A regular expression that backtracks keeps a process busy for minutes on a megabyte of an attacker.

const LIMIT = 60_000;

/** Why an expression may take more than linear time; undefined where it does not. */
async function slownessOf({ place, source, flags }: Expression): Promise<string | undefined> {
  // A seed, so that each run looks at the same strings.
  const result = await check(source, flags, { timeout: LIMIT, randomSeed: 1 });
  if (result.status === "safe") return undefined;
  const reason =
    result.status === "vulnerable"
      ? `${result.complexity.summary}: ${result.attack.pattern}`
      : result.error.kind;
  return `${place}: /${source}/${flags} ${reason}`;
}

test(
  "every regular expression that is published takes linear time",
  { timeout: 5 * LIMIT },
  async () => {
    const paths = globSync("packages/*/{src,bin}/**/*.{ts,js}", { cwd: root }).filter(
      (path) => !/\.test(-d)?\.ts$/.test(path),
    );
    const expressions = paths.flatMap((path) =>
      findExpressions(path, readFileSync(join(root, path), "utf8")),
    );
    expect(expressions.length).toBeGreaterThan(90);
    // One that repeats nothing looks at a few characters for each place.
    const repeating = expressions.filter(({ source }) => /[*+{]/.test(source));
    const distinct = new Map(repeating.map((each) => [`${each.source}/${each.flags}`, each]));
    const slow: (string | undefined)[] = [];
    for (const expression of distinct.values()) slow.push(await slownessOf(expression));
    expect(slow.filter((each) => each !== undefined)).toEqual([]);
  },
);

test.for([
  String.raw`/\/+$/`,
  "/0+$/",
  String.raw`/[\r\n]+$/`,
  "/T[^Z+-]*$/i",
  String.raw`/(\.\d+?)0+$/`,
  String.raw`/^\s*-?(\d+|\d+\.\d+)*\s*$/`,
  String.raw`new RegExp("\\s+$")`,
  "RegExp(`^(a{1,${count}})*$`)",
])("the check finds %s", async (code) => {
  const [expression] = findExpressions("planted.ts", code);
  expect(await slownessOf(expression!)).toMatch(/^planted\.ts:1: /);
});

test("an expression that is put together out of sight has to be a literal", () => {
  expect(() => findExpressions("planted.ts", "new RegExp(source)")).toThrow(/literal/);
});
