import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exec } from "../exec.ts";
import { names } from "../packages.ts";
import { cloneWorkspace } from "./release.ts";
import { MANAGERS } from "./tutorial.ts";

const MINUTES = 60_000;

test(
  "a release, a patch and a minor release, installed and upgraded with every package manager",
  { timeout: 40 * MINUTES },
  async () => {
    const printed = await exec(process.execPath, [join(import.meta.dirname, "rehearse.ts")]);
    for (const manager of MANAGERS)
      expect(printed).toContain(`${manager}: upgraded to the patch and the minor release`);
  },
);

test("other names for scope, repository and site are written everywhere", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-rename-"));
  try {
    const cwd = await cloneWorkspace(join(folder, "workspace"));
    const run = (command: string, ...args: string[]) => exec(command, args, { cwd });
    const other = ["--scope=@acme", "--repository=acme/mesh", "--site=https://mesh.acme.test/"];
    await run("node", "tools/release/rename.ts", ...other);
    for (const name of Object.values(names))
      // git grep fails where it finds nothing.
      await expect(run("git", "grep", "--name-only", "--fixed-strings", name)).rejects.toThrow(
        "Command failed",
      );
    await run("pnpm", "install", "--frozen-lockfile", "--prefer-offline");
    await run("pnpm", "exec", "tsc", "--noEmit");
    await run("pnpm", "exec", "vitest", "run", "--project", "tools", "packages.test.ts");
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
