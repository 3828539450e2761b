import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** A row of a table with a figure in it. */
const FIGURE = /^\| .*\| +\d+\.\d+ +\|/m;

// One round of each: times depend on the machine, so that a limit that is missed fails nothing here.
test.each(["calls", "imports", "webhooks", "ledger-speed"])(
  "the benchmark %s runs beside its peers and prints its figures",
  (name) => {
    const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
      encoding: "utf8",
      env: { ...process.env, BENCH_SHORT: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    expect(stdout).toMatch(/^## Limits/m);
    expect(stdout).toMatch(FIGURE);
    expect(stdout).not.toContain("NaN");
  },
);
