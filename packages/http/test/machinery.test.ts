import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("the code that turns a row into a method has fewer than 120 lines", () => {
  const lines = ["table/endpoint.ts", "client/methods.ts", "client/bind.ts"].flatMap((name) =>
    codeLines(name),
  );
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.length).toBeLessThan(120);
});

/** Counts the lines that are not blank, a comment or an import. */
function codeLines(name: string): string[] {
  const source = readFileSync(join(import.meta.dirname, "../src", name), "utf8");
  return source
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/^import [^;]*;$/gm, "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*\/\//.test(line));
}
