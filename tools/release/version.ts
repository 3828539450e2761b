// npm run release -- version: turns the changesets into versions and changelogs.
// Why it is so: docs/decisions/27-one-version-one-pull-request.md
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exec } from "../exec.ts";
import { packages, root } from "../packages.ts";
import { groupChangelog } from "./group-changelog.ts";
import { withoutPublishNote } from "./publish-note.ts";

console.log(await exec("changeset", ["version"]));
for (const { folder } of packages) {
  const file = join(folder, "CHANGELOG.md");
  if (existsSync(file)) writeFileSync(file, groupChangelog(readFileSync(file, "utf8")));
}
const readme = join(root, "README.md");
writeFileSync(readme, withoutPublishNote(readFileSync(readme, "utf8")));
