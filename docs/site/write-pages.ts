// Writes the generated pages of the site. npm run docs does this first.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeEvents } from "../documents/events.ts";
import { services } from "@fieldmesh/sandbox/internal/services";
import { readSourceTypes } from "../documents/source-types.ts";
import { writeChangelog } from "./changelog.ts";
import { writeDecisions } from "./decisions.ts";
import { writeEventPages } from "./event-page.ts";
import { formatBlocks } from "../format-blocks.ts";
import { writeCatalog } from "./events.ts";
import { withFrontmatter } from "./markdown.ts";
import { writeReadmeSamples } from "./readme-samples.ts";
import { writeReference } from "./reference.ts";

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
