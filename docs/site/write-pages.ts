// Writes the generated pages of the site. npm run docs does this first.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readChangesets } from "@changesets/read";
import { services } from "@fieldmesh/sandbox/internal/services";
import { packages, publicEntries, root } from "../../tools/packages.ts";
import { NOTE } from "../../tools/release/version.ts";
import { writeEvents } from "../documents/events.ts";
import { readSourceTypes } from "../documents/source-types.ts";
import { formatBlocks, SAMPLE } from "../samples.ts";
import { writeCatalog, writeEventPages } from "./events.ts";
import { page, withFrontmatter } from "./markdown.ts";
import { writeReference } from "./reference.ts";
import { decisionPages, titleOf } from "./sidebar.ts";

const docs = join(import.meta.dirname, "..");
const GAUNTLET = join(docs, "../gauntlet/main.ts");

/** Returns the generated pages except those of TypeDoc, by their paths in docs. */
export async function generatePages(): Promise<Map<string, string>> {
  const types = readSourceTypes();
  const events = writeEvents(types, { withTypes: true });
  return new Map([
    ...services.flatMap((service) => [...writeReference(service, types)]),
    ["events.md", writeCatalog(events)],
    ...writeEventPages(events),
    ["changelog.md", await writeChangelog()],
    ["decisions/index.md", writeDecisions()],
    ["packages.md", writeReadmeSamples()],
    ["project/gauntlet-rows.md", writeGauntletRows()],
  ]);
}

function writeGauntletRows(): string {
  const rows = execFileSync(process.execPath, [GAUNTLET, "--list"], { encoding: "utf8" });
  const description = "The required result of each call under each fault of the gauntlet.";
  return withFrontmatter({ description }, rows);
}

/** Writes these pages. */
export async function writePages(): Promise<void> {
  for (const folder of ["reference", "events"])
    rmSync(join(docs, folder), { recursive: true, force: true });
  const pages = await generatePages();
  await formatBlocks((change) => {
    for (const [path, text] of pages)
      if (path.startsWith("reference/")) pages.set(path, change(text, path));
  });
  for (const [path, text] of pages) {
    const file = join(docs, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Writes the page that lists the decisions. */
function writeDecisions(): string {
  const rows = decisionPages().map((name) => {
    const [, number, title] = /^(\d+)\. (.+)$/.exec(titleOf(`decisions/${name}.md`)) ?? [];
    return `| ${number} | [${title}](./${name}.md) | ${dateOf(name)} |`;
  });
  return withFrontmatter(
    {
      description:
        "Why the packages are built as they are: a page for each choice that readers are likely to ask about.",
    },
    page([
      "# Decisions",
      "Each page has the context of a decision, the decision and its consequences. The benchmarks write their figures to `bench/results`.",
      ["| number | decision | date |", "| --- | --- | --- |", ...rows].join("\n"),
    ]),
  );
}

/** Returns the date in the last line of a decision. */
function dateOf(name: string): string {
  const text = readFileSync(join(docs, "decisions", `${name}.md`), "utf8");
  const [, date] = /^\*Decided on (\d+ \w+ \d{4})\.\*$/m.exec(text) ?? [];
  if (date === undefined) throw new Error(`${name}.md has no line "*Decided on …*".`);
  return date;
}

/** Writes the changes of the next release, and of each release before it. */
async function writeChangelog(): Promise<string> {
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

/** Writes a page with the samples of the READMEs, because GitHub and npm cannot run them. */
function writeReadmeSamples(): string {
  const sections = packages.map(({ folder, manifest }) => {
    const samples = samplesOf(folder);
    const api = `[All exports](./api/${manifest.name}/index.md)`;
    const about = publicEntries(manifest).length > 0 ? `. ${api}` : ".";
    return page([`## \`${manifest.name}\``, manifest.description + about, samples]).trim();
  });
  return withFrontmatter(
    {
      title: "Packages",
      description:
        "The samples from the READMEs of all packages. Run them in your browser, against a sandbox in the page.",
    },
    page([
      "# Packages",
      "This page shows the samples from the README of the repository and of each package. To run one in your browser, press **Run** below it.",
      NOTE.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1],
      samplesOf(root),
      ...sections,
    ]),
  );
}

/** Returns the samples of a README with their outputs. */
function samplesOf(folder: string): string {
  const samples = readFileSync(join(folder, "README.md"), "utf8").matchAll(SAMPLE);
  return [...samples].map(([sample]) => sample).join("\n\n");
}
