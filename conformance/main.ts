// npm run conformance [-- <place> …]: runs the packed packages on every runtime and in every project of a user, or on those
// whose name begins with one of the given words, such as "Node" or "express". After a run on all runtimes, writes the table of "Supported versions".
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "markdown-table";
import { root } from "../tools/packages.ts";
import { openWorkshop, places } from "./places.ts";
import type { Finding } from "./setting.ts";

const START = "<!-- runtimes: written by npm run conformance -->";
const END = "<!-- end of runtimes -->";

const wanted = process.argv.slice(2).map((word) => word.toLowerCase());
const isWanted = (name: string): boolean =>
  wanted.length === 0 || wanted.some((word) => name.toLowerCase().startsWith(word));

const results = new Map<string, Finding[]>();
const workshop = openWorkshop();
try {
  for (const place of places.filter(({ name }) => isWanted(name))) {
    const findings = await workshop.run(place);
    if (place.kind === "runtime") results.set(place.name, findings);
    const failed = findings.filter(({ error }) => error !== undefined);
    console.log(
      `${failed.length === 0 ? "✓" : "✗"} ${place.name}: ${findings.length - failed.length} of ${findings.length}`,
    );
    for (const { title, error } of failed) console.log(`    ${title}\n      ${error}`);
    if (failed.length > 0) process.exitCode = 1;
  }
} finally {
  await workshop.close();
}
if (results.size === places.filter(({ kind }) => kind === "runtime").length) {
  const page = join(root, "docs", "project", "supported-versions.md");
  writeFileSync(page, withTable(readFileSync(page, "utf8"), tableOf(results)));
}

/** The result of each runtime, as a table of the docs. */
function tableOf(runtimes: ReadonlyMap<string, readonly Finding[]>): string {
  const rows = [...runtimes].map(([name, findings]) => {
    const failed = findings.filter(({ error }) => error !== undefined);
    const holds = `${findings.length - failed.length} of ${findings.length}`;
    return [name, holds, failed.map(({ title }) => title).join("; ") || "–"];
  });
  return markdownTable([["runtime", "checks that hold", "what does not"], ...rows], {
    alignDelimiters: false,
    padding: true,
  });
}

/** Returns a page with its table replaced. */
function withTable(page: string, table: string): string {
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start === -1 || end < start) throw new Error(`the page has no "${START}" and "${END}"`);
  return `${page.slice(0, start)}${START}\n\n${table}\n\n${page.slice(end)}`;
}
