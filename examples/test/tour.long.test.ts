import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { startTour, TITLES } from "./start-tour.ts";

// The release tier has a wide one, too.
const WIDTHS = process.env["LONG_TESTS"] === "yes" ? [60, 80, 120] : [60, 80];

test.concurrent.each(WIDTHS)(
  "on a terminal of %i columns it waits for a key after each chapter, and no line is wider",
  async (columns) => {
    const tour = startTour(columns);
    for (const next of ["start", ...TITLES.slice(1), "the end"]) {
      await tour.until(`Enter: ${next}`);
      tour.type("\r");
    }
    expect(await tour.ended).toBe(0);
    const lines = stripVTControlCharacters(tour.shown).split(/[\r\n]+/);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    // The bar and the table are drawn again in their place.
    for (const drawn of columns < 80 ? [1, 9] : [1, 5])
      expect(tour.shown).toContain(`\u001B[${drawn}A\u001B[J  `);
    expect(tour.shown).toContain("All 13 checks passed.");
  },
);
