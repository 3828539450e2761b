import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { comparison, withTables } from "./comparison.ts";

test("the comparison shows what the benchmarks measured: npm run generate -- comparison copies it", () => {
  const page = readFileSync(comparison, "utf8");
  expect(page.match(/<!-- table of /g)?.length).toBeGreaterThan(5);
  expect(withTables(page)).toBe(page);
});
