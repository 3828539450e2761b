import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exec } from "./exec.ts";
import { root } from "./packages.ts";

const decisions = readdirSync(join(root, "docs", "decisions")).filter((name) => /^\d/.test(name));

test("the code that a decision explains names it, and names no other", async () => {
  const found = await exec("git", [
    "grep",
    "-hoE",
    "docs/decisions/[0-9a-z-]+\\.md",
    "--",
    "*.ts",
    "*.mjs",
  ]);
  const named = new Set(
    found
      .trim()
      .split("\n")
      .map((path) => path.replace("docs/decisions/", "")),
  );
  expect([...named].sort()).toEqual(decisions.sort());
});

test("the one place of each rule is a file", () => {
  const page = readFileSync(join(root, "docs/decisions/39-one-place-for-each-rule.md"), "utf8");
  const places = [...page.matchAll(/^\|.*\|.*`([^`]+\/[^`]+)`.*\|$/gm)].map(([, place]) => place);
  expect(places.length).toBeGreaterThan(30);
  expect(places.filter((place) => !existsSync(join(root, place ?? "")))).toEqual([]);
});
