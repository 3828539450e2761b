import fc from "fast-check";
import { expect, test } from "vitest";
import { createLoopCheck } from "./loop-check.ts";

/** Counts the pages that are read of a list whose last page leads back to the page at `before`. */
function pagesUntilNoticed(before: number, length: number): number {
  const check = createLoopCheck();
  const end = before + length;
  for (let pages = 0, at = 0; ; pages++) {
    if (check.has(`c${at}`)) return pages;
    check.add(`c${at}`);
    at = at + 1 === end ? before : at + 1;
  }
}

const long = fc.integer({ min: 0, max: 20_000 });

test("a loop of up to 1,000 pages is noticed before a page is read twice", () => {
  const short = fc.integer({ min: 1, max: 1_000 });
  fc.assert(
    fc.property(long, short, (before, length) => {
      expect(pagesUntilNoticed(before, length)).toBe(before + length);
    }),
  );
});

test("a longer loop is noticed within three times the pages up to the end of its first round", () => {
  const longer = fc.integer({ min: 1_001, max: 20_000 });
  fc.assert(
    fc.property(long, longer, (before, length) => {
      expect(pagesUntilNoticed(before, length)).toBeLessThanOrEqual(3 * (before + length));
    }),
  );
});

test("any number of different cursors is never reported as a loop", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 5_000 }), (cursors) => {
      const check = createLoopCheck();
      for (const cursor of cursors) {
        expect(check.has(cursor)).toBe(false);
        check.add(cursor);
      }
    }),
    { numRuns: 20 },
  );
});
