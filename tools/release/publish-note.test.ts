import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packages, root } from "../packages.ts";
import { withoutPublishNote } from "./publish-note.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");
// The first release writes the changelogs.
const isReleased = packages.some(({ folder }) => existsSync(join(folder, "CHANGELOG.md")));

test("the README says how to install unpublished packages until a release removes the paragraph", () => {
  const after = withoutPublishNote(readme);
  expect(after).not.toMatch(/not on npm yet|-- pack|first release/);
  expect(after).toContain("npm install @fieldmesh/console-client\n```\n\nYou need Node");
  if (isReleased) expect(readme).toBe(after);
  else expect(readme).toContain("`npm run release -- pack console-client`");
});
