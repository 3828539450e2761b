import { test } from "vitest";
import { correct } from "./testing/correct.ts";
import { planted } from "./testing/planted.ts";
import { expectCorrect, expectFound, startDatabases } from "./testing/with-databases.ts";

/** The release tier runs other tests beside these, so the machine is loaded. */
const REPEATS = 10;
const MINUTE = 60_000;
const LONG = { timeout: 30 * MINUTE };

for (const [database, { with: withOwn, correct: own }] of Object.entries(await startDatabases())) {
  for (const [name, build] of Object.entries(planted))
    test(`with ${database}, ten of ten seeds find a receiver that ${name}`, LONG, async () => {
      for (let seed = 0; seed < REPEATS; seed++)
        await expectFound(withOwn(build), { seed, settle: 0, maxTime: MINUTE });
    });
  const all = { ...own, ...withEach(withOwn) };
  for (const [name, build] of Object.entries(all))
    test(`with ${database}, ten of ten seeds find nothing wrong with ${name}`, LONG, async () => {
      for (let seed = 0; seed < REPEATS; seed++)
        await expectCorrect(build, { seed, settle: 0, runs: 20 });
    });
}

function withEach(withOwn: (build: (typeof correct)[string]) => (typeof correct)[string]) {
  return Object.fromEntries(
    Object.entries(correct).map(([name, build]) => [name, withOwn(build)] as const),
  );
}
