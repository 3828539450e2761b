import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { exec } from "../exec.ts";
import { names, packages } from "../packages.ts";
import { cloneWorkspace } from "./release.ts";

const folder = mkdtempSync(join(tmpdir(), "fieldmesh-rehearsal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the changesets become one version of all packages, and notes for their users", async () => {
  const workspace = await cloneWorkspace(join(folder, "workspace"));
  const versionsBefore = packages.map(({ manifest }) => manifest.version);
  await exec("node", ["tools/release/version.ts"], { cwd: workspace });
  const released = packages.map(({ id }) => {
    const read = (name: string): string =>
      readFileSync(join(workspace, "packages", id, name), "utf8");
    const { version } = JSON.parse(read("package.json")) as { version: string };
    return { id, version, changelog: read("CHANGELOG.md") };
  });
  expect(released.map(({ version }) => version)).not.toEqual(versionsBefore);
  for (const { id, version, changelog } of released) {
    expect(changelog).toContain(`# ${names.scope}/${id}\n\n## ${version}\n`);
    expect(changelog).not.toMatch(/(Major|Minor|Patch) Changes/);
  }
});
