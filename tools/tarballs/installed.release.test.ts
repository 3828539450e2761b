import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { IMPORT_COMMAND } from "../../examples/tour/map.ts";
import { exec } from "../exec.ts";
import { root } from "../packages.ts";
import { compile, exportsOf, type Format, installConsumer, runProgram } from "./consumer.ts";

const COMPILERS = ["5.5.4", "5.9.3", "6.0.3", "7.0.2"];
const cases = COMPILERS.flatMap((version) =>
  ["bundler", "node16", "nodenext"].map((module) => [version, module] as const),
);
// Elsewhere the packages that hold a Node have other names, and one system is proof enough.
const isLinux = process.platform === "linux";
const OLDEST_NODE = `node-linux-${process.arch}`;
const TOO_OLD = "too-old-node";

let folder: string;
let node = process.execPath;

beforeAll(async () => {
  folder = await installConsumer(
    COMPILERS,
    isLinux ? { [OLDEST_NODE]: "22.12.0", [TOO_OLD]: `npm:${OLDEST_NODE}@20.19.0` } : {},
  );
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

const fieldmesh = (line: string, program = node): Promise<string> => {
  const bin = join(folder, "node_modules", "@fieldmesh", "cli", "bin", "fieldmesh.js");
  const env = {
    FIELDMESH_PASSPHRASE: "for this test",
    FIELDMESH_CONFIG: join(folder, "none.json"),
  };
  return exec(program, [bin, ...line.split(" ")], { cwd: folder, env });
};

it("the command line runs on the oldest Node: calls, imports, encrypted files and exports", async () => {
  expect(await fieldmesh("--help")).toContain("fieldmesh <command>");
  const [label = ""] = (await fieldmesh("console labels list --json --sandbox")).split("\n");
  expect(JSON.parse(label)).toHaveProperty("name");
  const device = "Tank,0004A30B00000001,70B3D57ED0010001,A0112233445566778899AABBCCDDEE01";
  writeFileSync(join(folder, "fleet.csv"), `name,dev_eui,app_eui,app_key\n${device}\n`);
  const imported = JSON.parse(
    await fieldmesh("devices import fleet.csv --json --sandbox"),
  ) as object;
  expect(imported).toMatchObject({ created: 1, failed: 0 });
  await fieldmesh("fleet export fleet.age --sandbox");
  expect(await fieldmesh("fleet plan fleet.age --sandbox --json")).toContain('"changes"');
  for (const format of ["ndjson", "csv", "parquet"])
    await fieldmesh(`ledger export blocks --min-time -1hour --out blocks.${format} --sandbox`);
  const exported = readdirSync(folder).filter((name) => name.startsWith("blocks."));
  expect(exported.toSorted()).toEqual(["blocks.csv", "blocks.ndjson", "blocks.parquet"]);
});

it("the import that the tour prints runs from the tarballs", async () => {
  const data = join(folder, "examples/data");
  mkdirSync(data, { recursive: true });
  copyFileSync(join(root, "examples/data/inventory.csv"), join(data, "inventory.csv"));
  const [, line = ""] = IMPORT_COMMAND.split("npm run fieldmesh -- ");
  await expect(fieldmesh(line)).rejects.toThrow("32 of 500 rows were not imported.");
  expect(readdirSync(data)).toEqual(["inventory.csv"]);
});

it.runIf(isLinux)("what an older Node cannot do is one sentence", async () => {
  await expect(
    fieldmesh("ledger export blocks --min-time -1hour --out blocks.sqlite --sandbox"),
  ).rejects.toThrow(
    "\nfieldmesh: SQLite needs Node 22.13 or later, and this is Node 22.12.0: update it, or choose another format.\n",
  );
  const tooOld = join(folder, "node_modules", TOO_OLD, "bin", "node");
  await expect(fieldmesh("--version", tooOld)).rejects.toThrow(
    "\nfieldmesh needs Node 22.12 or later, and this is Node 20.19.0.\n",
  );
});
