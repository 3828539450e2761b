// npm run generate: writes everything that is generated and checked in, except what takes long or needs another program: sizes and
// bench results (npm run sizes, bench), and pictures (npm run docs:cards, docs:pictures, docs:page-pictures).
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findSpec } from "../packages/sandbox/test/spec/read-spec.ts";
import { root } from "./packages.ts";

interface Generator {
  readonly command: readonly string[];
  readonly writes: string;
  /** Why it cannot run here. */
  readonly missing?: string | undefined;
}

const node = (file: string): readonly string[] => ["node", file];

/** In this order: later ones read what earlier ones write. */
const GENERATORS: readonly Generator[] = [
  {
    command: node("packages/webhook-types/tools/write-events.ts"),
    writes: "the lists and interfaces of event types",
  },
  {
    command: node("docs/site/write-counts.ts"),
    writes: "the numbers in the READMEs, and the badges",
  },
  {
    command: node("packages/sandbox/test/spec/write-spec-names.ts"),
    writes: "the names in the published contract",
    missing: findSpec(root) === undefined ? "the contract is not beside this checkout" : undefined,
  },
  {
    command: node("docs/machine/write.ts"),
    writes: "OpenAPI, JSON Schemas, and the commands of the endpoints",
  },
  { command: node("docs/site/diagrams/write.ts"), writes: "the diagrams of the guides" },
  { command: node("docs/write-samples.ts"), writes: "what the samples of the pages print" },
  { command: ["turbo", "run", "api:write"], writes: "the reports of what each entry exports" },
];

for (const { command, writes, missing } of GENERATORS) {
  console.log(missing === undefined ? `Writing ${writes} …` : `Skipped ${writes}: ${missing}.`);
  if (missing !== undefined) continue;
  const { status } = spawnSync(process.execPath, [join(root, "tools", "run.mjs"), ...command], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) {
    console.error(`This failed: ${command.join(" ")}`);
    process.exit(1);
  }
}
