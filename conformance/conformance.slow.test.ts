import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareSuite, type Suite } from "./run-suite.ts";
import { runtimes } from "./runtimes.ts";

// One of each kind; the release tier has all of them.
const CHOSEN = runtimes.filter(({ name }) => /^Node 22|without code/.test(name));
let suite: Suite;

beforeAll(async () => {
  suite = await prepareSuite();
});
afterAll(() => suite.close());

test.each(CHOSEN)("$name: every check holds", async (runtime) => {
  const findings = await suite.run(runtime);
  expect(findings.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(findings.length).toBeGreaterThan(80);
});
