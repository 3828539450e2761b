import { expect, test } from "vitest";
import { allCases } from "./rows/index.ts";
import { createChance } from "./parts/chance.ts";
import { runCases, withoutMissing } from "./run/run-cases.ts";

const skipped: string[] = [];
const cases = withoutMissing(allCases, (line) => skipped.push(line));
// The reporter prints the titles that say so.
const because = skipped.map((line) => `, ${line.replace("calls skipped", "calls were skipped")}`);

test(`every row ends as it must${because.join("")}`, { timeout: 8 * 60_000 }, async () => {
  const results = await runCases(cases, createChance(1));
  expect(results.length).toBeGreaterThan(900);
  const failed = results.filter(({ passed }) => !passed);
  // One string: the message of a failed list of strings does not name them.
  expect(
    failed
      .map(({ of, got }) => `${of.fault}, ${of.door}: ${of.expected} expected, got ${got}`)
      .join("\n"),
  ).toBe("");
});
