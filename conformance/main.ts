// npm run conformance [-- <place> …]: runs the packed packages on every runtime and in every project of a user, or on those
// whose name begins with one of the given words, such as "Node" or "express". After a run on all runtimes, writes the table of "Supported versions".
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tools/packages.ts";
import { places } from "./places.ts";
import type { Finding } from "./setting.ts";
import { tableOf, withTable } from "./table.ts";
import { openWorkshop } from "./workshop.ts";

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
  const page = join(root, "docs", "guides", "supported-versions.md");
  writeFileSync(page, withTable(readFileSync(page, "utf8"), tableOf(results)));
}
