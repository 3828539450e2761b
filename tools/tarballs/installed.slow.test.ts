import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compile, exportsOf, type Format, installConsumer, runProgram } from "./consumer.ts";

const COMPILERS = ["5.5.4", "5.9.3", "6.0.3", "7.0.2"];
const cases = COMPILERS.flatMap((version) =>
  ["bundler", "node16", "nodenext"].map((module) => [version, module] as const),
);
// Elsewhere the packages that hold a Node have other names, and one system is proof enough.
const isLinux = process.platform === "linux";
const OLDEST_NODE = `node-linux-${process.arch}`;

let folder: string;
let node = process.execPath;

beforeAll(async () => {
  folder = await installConsumer(COMPILERS, isLinux ? { [OLDEST_NODE]: "22.12.0" } : {});
  if (isLinux) node = join(folder, "node_modules", OLDEST_NODE, "bin", "node");
}, 10 * 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

it.each(cases)("compiles with TypeScript %s under %s", async (version, module) => {
  await compile(folder, version, module);
});

it.each<Format>(["esm", "cjs"])("runs on the oldest Node as %s", async (format) => {
  await runProgram(folder, "use", format, node);
  expect(await exportsOf(folder, format, node)).not.toEqual({});
});
