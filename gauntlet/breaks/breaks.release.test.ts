import { afterAll, expect, test } from "vitest";
import { makeCopy } from "./apply.ts";
import { breaks } from "./breaks.ts";

const MINUTES = 60_000;
const copy = makeCopy();
afterAll(() => copy[Symbol.dispose]());

test.each(breaks)(
  "the gauntlet notices code that “$name” within two minutes",
  { timeout: 3 * MINUTES },
  (each) => {
    const { noticed, printed } = copy.run(each);
    expect({ noticed, printed }).toMatchObject({ noticed: true });
  },
);
