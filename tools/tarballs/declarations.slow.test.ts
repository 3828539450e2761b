import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exec } from "../exec.ts";
import { tarballs } from "../install.ts";
import { root } from "../packages.ts";

// pnpm hides the dependencies of the clients from their user, so that a declaration may name the clients only.

const CLIENT = /-client$/;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fieldmesh-declarations-"));
  const clients = Object.entries(tarballs).filter(([name]) => CLIENT.test(name));
  const manifest = { private: true, type: "module", dependencies: Object.fromEntries(clients) };
  // JSON is YAML. The packages that the clients depend on are on no registry yet.
  const workspace = { packages: ["."], overrides: tarballs };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "pnpm-workspace.yaml"), JSON.stringify(workspace));
  cpSync(join(root, "tools", "consumer", "reexport.ts"), join(folder, "reexport.ts"));
  await exec("pnpm", ["install", "--prefer-offline", "--ignore-scripts"], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true }));

it("a library that exports methods of the clients has declarations that name the clients only", async () => {
  const tsc = createRequire(join(root, "package.json")).resolve("typescript/bin/tsc");
  const options = [
    "--declaration",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--skipLibCheck",
  ];
  await exec(process.execPath, [tsc, ...options, "--outDir", "out", "reexport.ts"], {
    cwd: folder,
  });
  const text = readFileSync(join(folder, "out", "reexport.d.ts"), "utf8");
  const imported = [...text.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map(([, name]) => name);
  expect(imported.length).toBeGreaterThan(3);
  expect(imported.filter((name = "") => !CLIENT.test(name))).toEqual([]);
});
