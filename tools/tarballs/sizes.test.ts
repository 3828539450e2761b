import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SIZES, specifiers } from "./sizes.ts";

test("every entry has a checked-in size, and no other: npm run release -- sizes writes them", () => {
  expect(Object.keys(JSON.parse(readFileSync(SIZES, "utf8")) as object)).toEqual(specifiers);
});
