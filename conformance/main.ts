// npm run conformance [-- <runtime> …]: runs the suite on every runtime, or on those whose name begins with one of the given
// words, such as "Node". After a run on all of them, writes the table of "Supported versions".
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tools/packages.ts";
import { prepareSuite, type Suite } from "./run-suite.ts";
import { runtimes, WORKERD } from "./runtimes.ts";
import type { Finding } from "./setting.ts";
import { tableOf, withTable } from "./table.ts";

const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean =>
  wanted.length === 0 || wanted.some((word) => name.toLowerCase().startsWith(word.toLowerCase()));
const jobs: readonly (readonly [name: string, run: (suite: Suite) => Promise<Finding[]>])[] = [
  ...runtimes.map((runtime) => [runtime.name, (suite: Suite) => suite.run(runtime)] as const),
  [WORKERD, (suite) => suite.runInWorkerd()],
];

const results = new Map<string, Finding[]>();
const suite = await prepareSuite();
try {
  for (const [name, run] of jobs.filter(([each]) => isWanted(each))) {
    const findings = await run(suite);
    results.set(name, findings);
    const failed = findings.filter(({ error }) => error !== undefined);
    console.log(
      `${failed.length === 0 ? "✓" : "✗"} ${name}: ${findings.length - failed.length} of ${findings.length}`,
    );
    for (const { title, error } of failed) console.log(`    ${title}\n      ${error}`);
    if (failed.length > 0) process.exitCode = 1;
  }
} finally {
  suite.close();
}
if (results.size === jobs.length) {
  const page = join(root, "docs", "guides", "supported-versions.md");
  writeFileSync(page, withTable(readFileSync(page, "utf8"), tableOf(results)));
}
