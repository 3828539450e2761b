import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exec } from "./exec.ts";
import { root } from "./packages.ts";

/** Every file that Git tracks in the root, and nothing that a program left there. */
const ROOT_FILES = [
  ".dependency-cruiser.mjs",
  ".editorconfig",
  ".git-blame-ignore-revs",
  ".gitattributes",
  ".gitignore",
  ".oxfmtrc.json",
  ".oxlintrc.json",
  ".pnpmfile.mjs",
  ".textlintignore",
  ".textlintrc.yml",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "RELEASING.md",
  "SECURITY.md",
  "STYLE.md",
  "SUPPORT.md",
  "knip.jsonc",
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "tsconfig.base.json",
  "tsconfig.json",
  "turbo.json",
  "vitest.config.ts",
  "vitest.workspace.ts",
];

// A downloaded archive has no list of tracked files.
test.runIf(existsSync(join(root, ".git")))("Git tracks no other file in the root", async () => {
  const files = (await exec("git", ["ls-files", "-z"])).split("\0").filter(Boolean);
  expect(files.filter((file) => !file.includes("/"))).toEqual(ROOT_FILES);
});
