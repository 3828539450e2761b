import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { exec } from "../exec.ts";
import { names, packages } from "../packages.ts";
import { userEnvironment } from "./managers.ts";
import { startRegistry } from "./registry.ts";
import { cloneWorkspace, publisherEnvironment } from "./release.ts";
import { readTutorial, runTutorial } from "./tutorial.ts";

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

test("Getting started does what it says, with npm and the packages from a registry", async () => {
  const registry = await startRegistry(join(folder, "registry"), names.scope);
  try {
    for (const { tarball } of packages)
      await exec("npm", ["publish", tarball], { cwd: folder, env: publisherEnvironment(registry) });
    const place = join(folder, "npm");
    mkdirSync(place);
    await runTutorial(
      readTutorial("npm"),
      place,
      userEnvironment(registry.url, join(folder, "home"), folder),
    );
  } finally {
    await registry.close();
  }
});
