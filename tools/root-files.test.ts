import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exec } from "./exec.ts";
import { packages, root } from "./packages.ts";

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

const isTracked = existsSync(join(root, ".git"));
const tracked = async () => (await exec("git", ["ls-files", "-z"])).split("\0").filter(Boolean);

// A downloaded archive has no list of tracked files.
test.runIf(isTracked)("Git tracks no other file in the root", async () => {
  const files = await tracked();
  expect(files.filter((file) => !file.includes("/"))).toEqual(ROOT_FILES);
});

/** What downloads a package by its name and runs it. */
const RUNNERS = "npx|bunx|pnpx|bun x|npm exec|npm x|(?:pnpm|yarn) dlx|(?:npm|pnpm|yarn|bun) create";
const bins = packages.flatMap(({ id, manifest: { bin = {} } }) => [id, ...Object.keys(bin)]);
const UNSCOPED = new RegExp(
  `\\b(?:${RUNNERS})(?: -(?!p\\b|-package)\\S*)* ["']?(?:fieldmesh|${bins.join("|")})(?![\\w/-])`,
);

test.each([
  ["npx fieldmesh-sandbox --env .env", true],
  ["npx -y fieldmesh@1 devices", true],
  ["bunx fieldmesh-sandbox", true],
  ["pnpm dlx cli", true],
  ["npm exec -- 'fieldmesh'", true],
  ["npx @fieldmesh/sandbox --env .env", false],
  ["npx -p @fieldmesh/cli fieldmesh devices", false],
  ["pnpm --package=@fieldmesh/cli dlx fieldmesh", false],
  ["pnpm exec fieldmesh-sandbox", false],
  ["npx fieldmesh-of-another", false],
])("%s runs a package of anyone who takes the name: %s", (line, isUnscoped) => {
  expect(UNSCOPED.test(line)).toBe(isUnscoped);
});

test.runIf(isTracked)("no file names a program of ours without the scope for npx", async () => {
  const files = (await tracked()).filter((file) => file !== "tools/root-files.test.ts");
  const found = files.flatMap((file) => {
    const lines = existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "";
    return lines
      .split("\n")
      .flatMap((line, at) => (UNSCOPED.test(line) ? `${file}:${at + 1}` : []));
  });
  expect(files.length).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});
