import { checkPromise, mistake } from "@fieldmesh/core/internal";

/** What jsdom lacks, and Jest hides with it. */
const NEEDED = ["Request", "Response", "Headers", "TextDecoder"];

/** Throws a TypeError in a runtime that is too old or lacks what calls need: npm only warns, and the first call would fail halfway. */
export function checkRuntime(): void {
  const missing = NEEDED.filter((name) => !(name in globalThis));
  if (missing.length > 0)
    throw mistake(
      `fieldmesh needs ${missing.join(", ")}, which this environment lacks. In Jest, set testEnvironment: "node" in its configuration, or begin the test file with /** @jest-environment node */.`,
    );
  checkPromise();
}
