import * as fc from "fast-check";
import { parseJson, stringifyJson } from "@fieldmesh/core";
import { expect, test } from "vitest";
import { splitArray } from "../src/wire/split-array.ts";

const MAX_BYTES = 1024 * 1024;
const NOISE = ["[", "]", "{", "}", ",", ":", '"', "\\", " ", "1", "a"];
const space = fc.stringMatching(/^[ \t\n\r]{0,3}$/);
const value = fc.oneof(
  fc.jsonValue(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }),
  fc.constantFrom('\\"]}', "[{", "a\\", '"', "\\\\", "😀ü"),
);

/** Splits a text at the given places. */
function partsOf(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length];
  const sorted = places.toSorted((a, b) => a - b);
  return sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
}

test("any array, cut at any places, has the elements that the parser finds in the whole", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(space, value, space)),
      space,
      fc.array(fc.nat()),
      (elements, end, cuts) => {
        const texts = elements.map(([before, each, after]) => before + stringifyJson(each) + after);
        const whole = `${texts.join(",") || end}]${end}`;
        const splitter = splitArray(MAX_BYTES);
        const found = partsOf(whole, cuts).flatMap((part) => splitter.push(part));
        expect(splitter.end).toBe("complete");
        expect(found.map(parseJson)).toEqual(parseJson(`[${whole}`));
      },
    ),
  );
});

test("what is not an array is never read as a complete one", () => {
  const noise = fc.string({ unit: fc.constantFrom(...NOISE), maxLength: 12 });
  fc.assert(
    fc.property(noise, fc.array(fc.nat()), (text, cuts) => {
      const splitter = splitArray(MAX_BYTES);
      const found = partsOf(text, cuts).flatMap((part) => splitter.push(part));
      const read = (): unknown => (splitter.end === "complete" ? found.map(parseJson) : undefined);
      const parse = (): unknown => parseJson(`[${text}`);
      expect(resultOf(read)).toEqual(resultOf(parse));
    }),
    { numRuns: 2_000 },
  );
});

function resultOf(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return undefined;
  }
}
