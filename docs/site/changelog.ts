import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packages, root } from "../../tools/packages.ts";
import { page, withFrontmatter } from "./markdown.ts";

/** What changes with the next release, and what has changed with each before it. */
export function writeChangelog(): string {
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
    page(["# Changelog", "## Next release", ...readNotes(), ...released]),
  );
}

function readNotes(): string[] {
  const folder = join(root, ".changeset");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => {
      const [, facts = "", text = ""] =
        /^---\n([^]*?)---\n([^]*)$/.exec(readFileSync(join(folder, name), "utf8")) ?? [];
      const names = [...facts.matchAll(/"(@fieldmesh\/[\w-]+)": (\w+)/g)].map(
        ([, id = "", size = ""]) => `\`${id}\` (${size})`,
      );
      return `**${names.join(", ")}**\n\n${text.trim()}`;
    });
}
