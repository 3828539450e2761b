// Runs the benchmarks that have peers, one after the other, and writes RESULTS.md: npm run bench -- all
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, cpus, release } from "node:os";
import { join } from "node:path";
import { markdownTable } from "markdown-table";

const PROGRAMS = ["calls", "imports", "webhooks", "ledger-speed"];
const PEERS = [
  "ky",
  "zod",
  "openai",
  "stripe",
  "svix",
  "standardwebhooks",
  "@octokit/core",
  "@octokit/plugin-paginate-rest",
  "@octokit/webhooks-methods",
];

for (const name of PROGRAMS) {
  const { error } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    stdio: "inherit",
  });
  if (error) throw error;
}

const versions = PEERS.map((name) => [name, versionOf(name)]);
const results = PROGRAMS.map((name) =>
  readFileSync(join(import.meta.dirname, "results", `${name}.md`), "utf8")
    .replace(/^## Limits$/m, "### Limits")
    .replace(/^# /m, "## ")
    .trim(),
);
const text = [
  "# Results",
  "Written by `npm run bench -- all`: what it costs to verify, to parse, to call, to walk a list and to import a package with its types, compared with other libraries. The tables also have the rows in which another library is faster. The machine is shared and its speed varies, so compare the ratios: all rows of a table come from one run, in which the libraries take turns.",
  `Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? "unknown"}, ${process.platform} ${release()}, ${new Date().toISOString().slice(0, 10)}.`,
  markdownTable([["peer", "version"], ...versions]),
  ...results,
].join("\n\n");
writeFileSync(join(import.meta.dirname, "RESULTS.md"), `${text}\n`);

function versionOf(name: string): string {
  const { resolve } = createRequire(import.meta.url);
  const paths = resolve.paths(name) ?? [];
  for (const folder of paths) {
    try {
      const manifest = readFileSync(join(folder, name, "package.json"), "utf8");
      return (JSON.parse(manifest) as { version: string }).version;
    } catch {
      // In a folder further up.
    }
  }
  throw new Error(`${name} is not installed`);
}
