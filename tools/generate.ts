// npm run generate [-- <name> …]: writes what is generated and checked in, if what it is made from has changed, or what is named; "npm run
// generate -- help" lists the names. It leaves out what takes long or needs another program: sizes, results of benchmarks, and pictures.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exec } from "./exec.ts";
import { GENERATORS, write } from "./generators.ts";
import { root } from "./packages.ts";

/** They run other programs, and have tests of their own: docs/samples.test.ts and check:api. */
const PROGRAMS: Readonly<Record<string, { writes: string; command: readonly string[] }>> = {
  samples: {
    writes: "what the samples of the pages print",
    command: ["node", "docs/write-samples.ts"],
  },
  api: {
    writes: "the reports of what each entry exports",
    command: ["turbo", "run", "api:write"],
  },
};

const SOURCES = ["packages/*/src/*.ts", "packages/*/package.json"];
const MARKDOWN = ["*.md"];
/** What each one reads, as patterns of git. One without a row reads what is outside this checkout, and always runs. */
const READS: Readonly<Record<string, readonly string[]>> = {
  events: ["packages/webhook-types", "packages/core/src"],
  views: ["packages/webhook-types/src", "packages/core/src", "packages/mirror"],
  counts: [...SOURCES, ...MARKDOWN, "docs/site"],
  facts: [...SOURCES, ...MARKDOWN, "docs/site", "tools/packages.ts", "tools/tarballs/sizes.json"],
  commands: [...SOURCES, "docs/*.ts", "packages/cli/src/generated"],
  switches: [...SOURCES, "docs/*.ts", "tools/switches", "docs/guides", "packages/sandbox"],
  comparison: [...MARKDOWN, "docs/site", "bench/results", "tools/results.ts"],
  waits: [...SOURCES, "gauntlet/hanging-parts", "docs/decisions"],
  samples: [...SOURCES, ...MARKDOWN, "docs/*.ts", "examples"],
  api: [...SOURCES, "tools/api"],
};
const STAMPS = join(root, "node_modules", ".cache", "generated.json");
const stamps = (existsSync(STAMPS) ? JSON.parse(readFileSync(STAMPS, "utf8")) : {}) as Record<
  string,
  string
>;

/** Returns the hash of what a generator reads, which contains what it has written before. */
async function hashOf(name: string): Promise<string | undefined> {
  const patterns = READS[name];
  if (patterns === undefined) return undefined;
  const listed = ["ls-files", "-co", "--exclude-standard", "--", ...patterns, "tools/generat*.ts"];
  const files = (await exec("git", listed)).trim().split("\n");
  const hash = createHash("sha256");
  for (const file of files.filter((each) => existsSync(join(root, each))))
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

const all = { ...GENERATORS, ...PROGRAMS };
const names = process.argv.slice(2);
const [name = ""] = names;
const generator = GENERATORS[name];
if (names.some((each) => !(each in all))) {
  for (const [each, { writes }] of Object.entries(all)) console.log(`${each.padEnd(12)}${writes}`);
  process.exitCode = name === "help" ? 0 : 1;
} else if (names.length === 1 && generator !== undefined) await write(generator);
else {
  // Each in a process of its own, which has loaded nothing that an earlier one writes.
  for (const each of names.length === 0 ? Object.keys(all) : names) {
    const before = await hashOf(each);
    if (names.length === 0 && before !== undefined && stamps[each] === before) continue;
    console.log(`Writing ${all[each]?.writes} …`);
    const command = PROGRAMS[each]?.command ?? ["node", "tools/generate.ts", each];
    const { status } = spawnSync(process.execPath, [join(root, "tools/run.mjs"), ...command], {
      cwd: root,
      stdio: "inherit",
    });
    if (status !== 0) {
      console.error(`This failed: npm run generate -- ${each}`);
      process.exit(1);
    }
    stamps[each] = (await hashOf(each)) ?? "";
    mkdirSync(dirname(STAMPS), { recursive: true });
    writeFileSync(STAMPS, JSON.stringify(stamps));
  }
}
