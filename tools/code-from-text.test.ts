import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findCodeFromText } from "./code-from-text.ts";
import { root } from "./packages.ts";

// The builds are searched in tarballs/packed.slow.test.ts.

test("no source of a package makes code from text", () => {
  const sources = globSync("packages/*/{src,bin}/**/*.{ts,js}", { cwd: root }).filter(
    (path) => !/\.test(-d)?\.ts$/.test(path),
  );
  expect(sources.length).toBeGreaterThan(300);
  const found = sources.flatMap((path) =>
    findCodeFromText(path, readFileSync(join(root, path), "utf8")),
  );
  expect(found).toEqual([]);
});

test.for([
  'new Function("return 1")',
  'Function("return 1")',
  "const F = Function; new F(code)",
  "const { Function: F } = globalThis",
  'Reflect.construct(globalThis["Function"], [code])',
  'eval("1")',
  '(0, eval)("1")',
  'globalThis.eval("1")',
  '(() => {}).constructor("return 1")',
  'new (async () => {})["constructor"](code)',
])("the search finds %s", (code) => {
  expect(findCodeFromText("planted.ts", code).length).toBeGreaterThan(0);
});

test("the search passes by comments, types of functions and constructors of classes", () => {
  const code = `
    // eval("1") and new Function("1")
    type F = () => void;
    class A { constructor() {} }
    const name = new A().constructor.name;
    const isFunction = typeof name === "function";
  `;
  expect(findCodeFromText("harmless.ts", code)).toEqual([]);
});
