import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("the machinery from a row to a method is under 120 lines of code", () => {
  const lines = ["table/endpoint.ts", "table/methods.ts", "table/bind.ts"].flatMap((name) =>
    codeLines(name),
  );
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.length).toBeLessThan(120);
});

/** Lines that are neither blank nor comment nor import. */
function codeLines(name: string): string[] {
  const source = readFileSync(join(import.meta.dirname, "../src", name), "utf8");
  return source
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/^import [^;]*;$/gm, "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*\/\//.test(line));
}
