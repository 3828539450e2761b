import { rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exec } from "../exec.ts";
import { packages } from "../packages.ts";
import { compile, exportsOf, type Format, installConsumer, runProgram } from "./consumer.ts";

const TYPESCRIPT = "6.0.3";
let folder: string;

beforeAll(async () => {
  folder = await installConsumer([TYPESCRIPT]);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("an installed tarball", () => {
  it.each(["node16", "nodenext"])("compiles in a user's program under %s", async (module) => {
    await compile(folder, TYPESCRIPT, module);
  });

  it.each<Format>(["esm", "cjs"])("runs in a user's program as %s", async (format) => {
    await runProgram(folder, "use", format);
  });

  it("exports the same names by import and by require", async () => {
    const imported = await exportsOf(folder, "esm");
    expect(await exportsOf(folder, "cjs")).toEqual(imported);
    expect(Object.keys(imported).filter((entry) => imported[entry]?.length === 0)).toEqual([]);
  });

  it.each(
    packages.flatMap(({ manifest }) =>
      Object.values(manifest.bin ?? {}).map((path) => join(manifest.name, path)),
    ),
  )("starts %s", async (path) => {
    await exec(process.execPath, [join(folder, "node_modules", path), "--help"]);
  });
});

const KB = 1000;
const CONSOLE = 'export { createConsoleClient } from "@fieldmesh/console-client";';
const LEDGER = 'export { createLedgerClient } from "@fieldmesh/ledger-client";';
const MAPPER = 'export { createMapperClient } from "@fieldmesh/mapper-client";';
const MOBILE = 'export { createMobileClient } from "@fieldmesh/mobile-client";';

// Minified and gzipped, ky and zod included. Each limit is a tenth above the size when it was set.
describe("the bundle of a user", () => {
  it.each([
    [3.8 * KB, 'export { createVerifier } from "@fieldmesh/webhook-types";'],
    [1 * KB, 'export { isApiError } from "@fieldmesh/console-client";'],
    [29 * KB, 'export { parseEvent } from "@fieldmesh/webhook-types/parse";'],
    [65 * KB, CONSOLE],
    [67.5 * KB, LEDGER],
    [53 * KB, MAPPER],
    [52.5 * KB, MOBILE],
    [88 * KB, [CONSOLE, LEDGER, MAPPER, MOBILE].join("\n")],
  ])("has at most %i bytes for %s", async (limit, program) => {
    for (const platform of ["node", "browser"] as const) {
      const { bytes } = await bundle(program, platform);
      console.log(`${bytes} of ${limit} bytes (${platform}): ${program}`);
      expect(bytes).toBeLessThanOrEqual(limit);
    }
  });
});

/** The entries that may load zod; the others start in a few milliseconds. */
const WITH_ZOD = new Set(["./parse", "./samples", "./receiver"]);

it.each(
  packages
    .filter(({ id }) => id === "webhook-types")
    .flatMap(({ manifest }) => Object.keys(manifest.exports))
    .filter((path) => !WITH_ZOD.has(path)),
)("the entry %s of webhook-types loads no zod", async (path) => {
  const from = `@fieldmesh/webhook-types${path.slice(1)}`;
  const { inputs } = await bundle(`export * from "${from}";`, "node");
  expect(inputs).not.toEqual([]);
  expect(inputs.filter((file) => /node_modules\/(zod|ky)\//.test(file))).toEqual([]);
});

async function bundle(contents: string, platform: "node" | "browser") {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform,
    write: false,
    metafile: true,
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
  return { bytes, inputs: Object.keys(metafile.inputs) };
}
