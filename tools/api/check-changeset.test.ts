import { expect, test } from "vitest";
import { withoutChangeset } from "./check-changeset.ts";
import { names } from "../packages.ts";

const report = (name: string): string => `tools/api/reports/${name}.api.md`;

test("a package whose exports changed needs a changeset that names it", () => {
  const changed = [report("http"), report("webhook-types"), "packages/core/src/index.ts"];
  expect(withoutChangeset(changed, new Set())).toEqual([
    `${names.scope}/http`,
    `${names.scope}/webhook-types`,
  ]);
  expect(withoutChangeset(changed, new Set([`${names.scope}/http`]))).toEqual([
    `${names.scope}/webhook-types`,
  ]);
  expect(withoutChangeset(["README.md"], new Set())).toEqual([]);
});

test("a command line whose commands changed needs one too", () => {
  const changed = ["packages/cli/src/settings/commands.ts", "packages/cli/src/lock.ts"];
  expect(withoutChangeset(changed, new Set())).toEqual([`${names.scope}/cli`]);
  expect(withoutChangeset(changed, new Set([`${names.scope}/cli`]))).toEqual([]);
});
