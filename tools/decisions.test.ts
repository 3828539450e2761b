import { readdirSync } from "node:fs";
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
