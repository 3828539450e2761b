// npm run release -- version: turns the changesets into versions and changelogs.
// Why it is so: docs/decisions/27-one-version-one-pull-request.md
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exec } from "../exec.ts";
import { packages, root } from "../packages.ts";

/** The headings of a release, in their order. A changeset begins with one of them and a colon. */
export const KINDS = ["Added", "Changed", "Fixed"] as const;

const ITEM = new RegExp(`^- (?:(${KINDS.join("|")}): )?`);
const NEWEST = /^## .+$/m;
const SIZE_HEADING = /^### (?:Major|Minor|Patch) Changes\n*/gm;

/**
 * Sorts the newest release of a CHANGELOG.md by what was done instead of by the size of the step: changesets writes it under "Minor Changes", which tells a reader nothing.
 * What is not an item, such as the note of a first release, comes first.
 */
export function groupChangelog(changelog: string): string {
  const heading = NEWEST.exec(changelog);
  if (heading === null) return changelog;
  const start = heading.index + heading[0].length;
  const next = changelog.slice(start).search(NEWEST);
  const end = next === -1 ? changelog.length : start + next;
  const release = changelog.slice(start, end);
  if (!release.match(SIZE_HEADING)) return changelog;

  const parts = release
    .replace(SIZE_HEADING, "")
    .trim()
    .split(/\n(?=- )/);
  const notes = parts.filter((part) => !ITEM.exec(part)?.[1]);
  const groups = KINDS.map((kind) => {
    const items = parts.filter((part) => ITEM.exec(part)?.[1] === kind);
    const lines = items.map((part) => `- ${part.replace(ITEM, "").trim()}`);
    return lines.length === 0 ? "" : `### ${kind}\n\n${lines.join("\n")}`;
  });
  const text = [notes.join("\n").trim(), ...groups].filter((part) => part !== "").join("\n\n");
  return `${changelog.slice(0, start)}\n\n${text}\n\n${changelog.slice(end)}`.trimEnd() + "\n";
}

/** The files with a paragraph that says how to install a package before the first release. */
export const NOTED = ["README.md", "docs/index.md", "docs/guides/getting-started.md"];

/** That paragraph. */
export const NOTE = /^(.*) <!-- Until the first release: .* -->\n\n/m;

/** Removes that paragraph. A release calls this, because its packages are on npm afterwards. */
export function withoutPublishNote(page: string): string {
  return page.replace(NOTE, "");
}

if (import.meta.main) {
  console.log(await exec("changeset", ["version"]));
  for (const { folder } of packages) {
    const file = join(folder, "CHANGELOG.md");
    if (existsSync(file)) writeFileSync(file, groupChangelog(readFileSync(file, "utf8")));
  }
  for (const file of NOTED.map((path) => join(root, path)))
    writeFileSync(file, withoutPublishNote(readFileSync(file, "utf8")));
  // The page for evaluators names the version. This process has read the old one.
  await exec(process.execPath, [join(root, "tools/generate.ts"), "facts"]);
}
