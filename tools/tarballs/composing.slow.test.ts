import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exec } from "../exec.ts";
import { compile, type Format, installConsumer, runProgram } from "./consumer.ts";

// Core contains a copy of the part of zod that we use. Users compose our schemas with those of the zod that they installed.

const TYPESCRIPT = "6.0.3";
const OTHER_MINOR = "zod-other-minor";
let folder: string;

beforeAll(async () => {
  folder = await installConsumer([TYPESCRIPT], { [OTHER_MINOR]: "npm:zod@4.5.4" });
  await compile(folder, TYPESCRIPT, "node16");
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each<Format>(["esm", "cjs"])("our schemas compose with those of zod as %s", async (format) => {
  await runProgram(folder, "compose", format);
});

it.each<Format>(["esm", "cjs"])("our schemas compose with another minor version as %s", (format) =>
  runChanged(format, (program) => program.replaceAll(/"zod(\/mini)?"/g, `"${OTHER_MINOR}$1"`)),
);

it.each([
  ["our CommonJS beside the ESM of zod", '@fieldmesh/[^"]+'],
  ["our ESM beside the CommonJS of zod", "zod(?:/mini)?"],
])("our schemas compose across formats: %s", async (_, required) => {
  const imported = new RegExp(`^import (?:\\* as )?(.+) from ("${required}");$`, "gm");
  await runChanged("esm", (program) =>
    [
      'import { createRequire } from "node:module";',
      "const require = createRequire(import.meta.url);",
      program.replaceAll(imported, "const $1 = require($2);"),
    ].join("\n"),
  );
});

/** Runs the compiled program after a change of its imports. */
async function runChanged(format: Format, change: (program: string) => string): Promise<void> {
  const extension = format === "esm" ? "mjs" : "cjs";
  const program = readFileSync(join(folder, "out", `compose.${extension}`), "utf8");
  const changed = join(folder, "out", `compose-changed.${extension}`);
  expect(change(program)).not.toBe(program);
  writeFileSync(changed, change(program));
  await exec(process.execPath, [changed]);
}

it("core contains the lowest version of zod whose types it accepts", async () => {
  const program = join(folder, "version.mjs");
  const code =
    'import { string } from "@fieldmesh/core/internal/zod"; console.log(JSON.stringify(string()._zod.version));';
  writeFileSync(program, code);
  const { major, minor, patch } = JSON.parse(await exec(process.execPath, [program])) as {
    readonly [part: string]: number;
  };
  const file = join(folder, "node_modules", "@fieldmesh", "core", "package.json");
  const { dependencies } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect(dependencies["zod"]).toBe(`^${major}.${minor}.${patch}`);
});

const KB = 1000;
const CONSOLE = 'export { createConsoleClient } from "@fieldmesh/console-client";';

// 12 KB over the size before core contained its copy. What follows the events of a device takes 2.5 KB, most of which loads later, and
// drift beside other differences and a further argument 0.1 KB each.
it.each([
  [94.1 * KB, "zod/mini", "z.parse(z.object({ a: z.string(), b: z.array(z.int()) }), {})"],
  [114.8 * KB, "zod", "z.object({ a: z.string(), b: z.array(z.int()) }).parse({})"],
])("a client has at most %i bytes in a bundle beside %s", async (limit, zod, use) => {
  const contents = `${CONSOLE} import * as z from "${zod}"; export const use = () => ${use};`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    write: false,
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
  console.log(`${bytes} of ${limit} bytes: ${CONSOLE} beside ${zod}`);
  expect(bytes).toBeLessThanOrEqual(limit);
});
