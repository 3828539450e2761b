import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readChangesets } from "@changesets/read";
import { expect, test } from "vitest";
import { packages, root } from "../packages.ts";
import { groupChangelog, KINDS, NOTE, NOTED, withoutPublishNote } from "./version.ts";

test("a release is sorted by what was done, and older ones stay", () => {
  const changelog = `# @fieldmesh/core

## 1.1.0

### Minor Changes

- Fixed: a walk that
  had an end
- Added: lanes

### Patch Changes

- Fixed: a word

## 1.0.0

### Fixed

- old
`;
  expect(groupChangelog(changelog)).toBe(`# @fieldmesh/core

## 1.1.0

### Added

- lanes

### Fixed

- a walk that
  had an end
- a word

## 1.0.0

### Fixed

- old
`);
});

test("the note of a first release keeps its own list, and a second run changes nothing", () => {
  const once = groupChangelog(
    "# x\n\n## 1.0.0\n\n### Major Changes\n\nFirst release: a client.\n\n- All rows.\n- No key in logs.\n",
  );
  expect(once).toBe(
    "# x\n\n## 1.0.0\n\nFirst release: a client.\n\n- All rows.\n- No key in logs.\n",
  );
  expect(groupChangelog(once)).toBe(once);
});

test("a changelog without a release stays as it is", () => {
  expect(groupChangelog("# x\n")).toBe("# x\n");
});

test("each changeset says what kind of change it is, and the first one names all packages", async () => {
  const changesets = await readChangesets(root);
  const kind = new RegExp(`^(First release|(${KINDS.join("|")}): )`);
  expect(changesets.filter(({ summary }) => !kind.test(summary)).map(({ id }) => id)).toEqual([]);
  for (const { releases } of changesets.filter(({ summary }) => summary.startsWith("First")))
    expect(releases.map(({ name }) => name)).toEqual(packages.map(({ manifest }) => manifest.name));
});

// The first release writes the changelogs.
const isReleased = packages.some(({ folder }) => existsSync(join(folder, "CHANGELOG.md")));

test.for(NOTED)("%s says how to install unpublished packages until a release", (path) => {
  const page = readFileSync(join(root, path), "utf8");
  const after = withoutPublishNote(page);
  expect(after).not.toMatch(/not on npm yet|-- pack|first release/);
  expect(after).toMatch(/npm install @fieldmesh\/console-client.*\n(npm .*\n)?```\n\n\S/);
  if (isReleased) expect(page).toBe(after);
  else
    expect(NOTE.exec(page)?.[1]).toMatch(/not on npm yet.*`npm run release -- pack console-client/);
});
