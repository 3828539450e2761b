import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../tools/packages.ts";
import { allCases } from "../rows/index.ts";
import { breaks } from "./breaks.ts";

test.each(breaks)(
  "the code that the break “$name” changes is in its file, and the rows that must fail exist",
  ({ file, text, instead, rings }) => {
    const parts = readFileSync(join(root, file), "utf8").split(text);
    expect({ file, text, times: parts.length - 1 }).toEqual({ file, text, times: 1 });
    expect(instead).not.toBe(text);
    const word = rings.toLowerCase();
    const rows = allCases.filter(({ family, fault }) =>
      `${family} ${fault}`.toLowerCase().includes(word),
    );
    expect({ rings, hasRows: rows.length > 0 }).toEqual({ rings, hasRows: true });
  },
);

test("there are at least 23 breaks, each with its own name", () => {
  expect(new Set(breaks.map(({ name }) => name)).size).toBe(breaks.length);
  expect(breaks.length).toBeGreaterThanOrEqual(23);
});
