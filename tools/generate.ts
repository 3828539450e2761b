// npm run generate [-- <name> …]: writes everything that is generated and checked in, or what is named; "npm run generate -- help" lists the
// names. It leaves out what takes long or needs another program: sizes, results of benchmarks, and pictures.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
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

const all = { ...GENERATORS, ...PROGRAMS };
const names = process.argv.slice(2);
const [name = ""] = names;
const generator = GENERATORS[name];
if (names.some((each) => !(each in all))) {
  for (const [each, { writes }] of Object.entries(all)) console.log(`${each.padEnd(12)}${writes}`);
  process.exitCode = 1;
} else if (names.length === 1 && generator !== undefined) await write(generator);
else {
  // Each in a process of its own, which has loaded nothing that an earlier one writes.
  for (const each of names.length === 0 ? Object.keys(all) : names) {
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
  }
}
