import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readChangesets } from "@changesets/read";
import { packages, root } from "../../tools/packages.ts";
import { page, withFrontmatter } from "./markdown.ts";

/** Writes the changes of the next release, and of each release before it. */
export async function writeChangelog(): Promise<string> {
  const released = packages.flatMap(({ folder, manifest }) => {
    const file = join(folder, "CHANGELOG.md");
    if (!existsSync(file)) return [];
    return [
      readFileSync(file, "utf8")
        .replace(/^# .*$/m, `## ${manifest.name}`)
        .replace(/^(#{2,3}) (?!@)/gm, "#$1 "),
    ];
  });
  return withFrontmatter(
    {
      title: "Changelog",
      description:
        "What changes with the next release of the fieldmesh packages, and what has changed with each before it.",
    },
    page(["# Changelog", "## Next release", ...(await readNotes()), ...released]),
  );
}

async function readNotes(): Promise<string[]> {
  return (await readChangesets(root)).map(({ releases, summary }) => {
    const names = releases.map(({ name, type }) => `\`${name}\` (${type})`);
    const title = names.length === packages.length ? "All packages" : names.join(", ");
    return `**${title}**\n\n${summary}`;
  });
}
