import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkCommits } from "./commits.ts";
import { exec } from "./exec.ts";

let folder = "";
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "fieldmesh-commits-"));
  await git("init", "--quiet");
  await commit("an old commit", "packages/http/src/old.ts");
  await commit("tools: the check", "tools/commits.ts");
});
afterEach(() => rmSync(folder, { recursive: true }));

const git = (...args: string[]): Promise<string> =>
  exec("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: folder });

async function commit(message: string, file: string): Promise<void> {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), message);
  await git("add", "--all");
  await git("commit", "--quiet", "--message", message);
}

test("commits before the check, and those that follow the rules, have no problem", async () => {
  await commit("http, tools: a change\n\nIts reason.", "packages/http/src/a.ts");
  await commit("tools: a change without a reason", "tools/a.ts");
  await commit("ci: a change of a folder with a dot", ".ci/run");
  expect(await checkCommits(folder)).toEqual({ problems: [] });
});

test.each([
  [`tools: ${"a".repeat(66)}`, "tools/a.ts", "the subject has 73 characters: at most 72"],
  ["a change", "tools/a.ts", "the subject must begin with a package or a folder"],
  ["htpt: a change", "tools/a.ts", "the subject must begin with a package or a folder"],
  ["http: a change", "packages/http/src/a.ts", "the sources of a package changed"],
])("%s is a problem", async (message, file, problem) => {
  await commit(message, file);
  const { problems } = await checkCommits(folder);
  expect(problems).toEqual([expect.stringContaining(problem)]);
});

test("a folder without a history is skipped, with a reason", async () => {
  const copy = join(folder, "copy");
  await git("clone", "--quiet", "--depth", "1", `file://${folder}`, copy);
  expect(await checkCommits(copy)).toEqual({
    problems: [],
    skipped: "the checkout has no history",
  });
});
