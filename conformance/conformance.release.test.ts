import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareSuite, type Suite } from "./run-suite.ts";
import { runtimes } from "./runtimes.ts";

let suite: Suite;

beforeAll(async () => {
  suite = await prepareSuite();
});
afterAll(() => suite.close());

test.each(runtimes)("$name: every check holds", async (runtime) => {
  const findings = await suite.run(runtime);
  expect(findings.filter(({ error }) => error !== undefined)).toEqual([]);
});

test("workerd: every check holds", async () => {
  const findings = await suite.runInWorkerd();
  expect(findings.filter(({ error }) => error !== undefined)).toEqual([]);
});
