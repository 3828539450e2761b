import { test } from "vitest";
import { correct } from "./testing/correct.ts";
import { planted } from "./testing/planted.ts";
import { expectCorrect, expectFound, startDatabases } from "./testing/with-databases.ts";

/** Those that depend on what a database does. The release tier runs all. */
const PLANTED = [
  "claims the event before the work",
  "checks whether the event is done, and marks it a moment later",
  "accepts when its store is down",
  "marks it as done between two effects",
];
const CORRECT = ["rows that compare as they are written"];

for (const [database, { with: withOwn, correct: own }] of Object.entries(await startDatabases())) {
  for (const name of PLANTED)
    test(`with ${database}, finds a receiver that ${name}`, () =>
      expectFound(withOwn(planted[name]!), { seed: 2, settle: 0, maxTime: 20_000 }));
  for (const name of CORRECT)
    test(`with ${database}, finds nothing wrong with ${name}`, () =>
      expectCorrect(withOwn(correct[name]!), { seed: 2, settle: 0, runs: 1 }));
  for (const [name, build] of Object.entries(own))
    test(`with ${database}, finds nothing wrong with ${name}`, () =>
      expectCorrect(build, { events: ["sim.activated"], seed: 2, settle: 0, runs: 1 }));
}
