import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { CommandError, exec } from "../exec.ts";
import { packages, root } from "../packages.ts";
import { contentProblems } from "./contents.ts";
import { findAny } from "./find-any.ts";
import { tarballOf } from "./pack.ts";
import { runPrograms, writePrograms } from "./programs.ts";

/** What a user may have: compilers, the ways in which they look for modules, and Nodes. */
interface Range {
  readonly typescript: readonly string[];
  readonly modules: readonly string[];
  /** Besides the Node that runs this. */
  readonly nodes: readonly string[];
}

const OLDEST_NODE = "22.12.0";
const NODE_PACKAGE = `node-linux-${process.arch}`;
const NARROW: Range = { typescript: ["6.0.3"], modules: ["nodenext", "node16"], nodes: [] };
const WIDE: Range = {
  typescript: ["5.5.4", "5.9.3", "6.0.3", "7.0.2"],
  modules: ["nodenext", "node16", "bundler"],
  // Elsewhere the packages that hold a Node have other names, and one system is proof enough.
  nodes: process.platform === "linux" ? [OLDEST_NODE] : [],
};
/** msw needs a recent compiler, and is ESM only: under node16 its own users come from ESM. */
const acceptsPeers = (typescript: string, module: string): boolean =>
  typescript >= "6" && module !== "node16";

/** Installs the tarballs as a user would, and uses every entry by import, by require and through tsc. */
export async function checkConsumers(width: "narrow" | "wide"): Promise<undefined> {
  const range = width === "wide" ? WIDE : NARROW;
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-consumer-"));
  try {
    await install(folder, range);
    assertNone(packages.flatMap(({ manifest }) => problemsOf(folder, manifest.name)));
    writePrograms(folder);
    const complaints: string[] = [];
    for (const typescript of range.typescript) {
      for (const module of range.modules)
        complaints.push(...(await compile(folder, typescript, module)));
    }
    assertNone(complaints);
    assertNone(anyIn(folder).map((path) => `${path} is any`));
    const nodes = range.nodes.map(() => join(folder, "node_modules", NODE_PACKAGE, "bin", "node"));
    for (const node of [process.execPath, ...nodes]) await runPrograms(folder, node);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
async function install(folder: string, { typescript, nodes }: Range): Promise<void> {
  const dependencies = Object.fromEntries([
    ...packages.map((each) => [each.manifest.name, `file:${tarballOf(each)}`]),
    ...packages.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {})),
    ["@types/node", versionOf("@types/node")],
    ...typescript.map((version) => [aliasOf(version), `npm:typescript@${version}`]),
    ...nodes.map((version) => [NODE_PACKAGE, version]),
  ]) as Record<string, string>;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  await exec(
    "npm",
    ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"],
    { cwd: folder },
  );
}

function problemsOf(folder: string, name: string): string[] {
  const home = join(folder, "node_modules", name);
  const files = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(home, path)).isFile(),
  );
  const texts = new Map(
    files.map((path) => [path.replaceAll("\\", "/"), readFileSync(join(home, path), "utf8")]),
  );
  return contentProblems(texts).map((problem) => `${name}: ${problem}`);
}

/** Gives what the compiler has to say. */
async function compile(folder: string, typescript: string, module: string): Promise<string[]> {
  const isBundler = module === "bundler";
  const programs = ["use", "entries", ...(acceptsPeers(typescript, module) ? ["peers"] : [])];
  const compilerOptions = {
    target: "es2022",
    strict: true,
    skipLibCheck: false,
    types: ["node"],
    rootDir: ".",
    ...(isBundler
      ? { module: "esnext", moduleResolution: "bundler", noEmit: true }
      : { module, outDir: "out" }),
  };
  const files = programs.flatMap((name) =>
    isBundler ? [`${name}.mts`] : [`${name}.mts`, `${name}.cts`],
  );
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  try {
    const tsc = join(folder, "node_modules", aliasOf(typescript), "bin", "tsc");
    await exec(process.execPath, [tsc, "--project", folder], { cwd: folder });
    return [];
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [`TypeScript ${typescript}, ${module}:\n${error.output}`];
  }
}

function anyIn(folder: string): string[] {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    strict: true,
    types: ["node"],
    typeRoots: [join(folder, "node_modules", "@types")],
  };
  const isOurs = (file: string): boolean => file.includes("/node_modules/@fieldmesh/");
  return ["entries.mts", "peers.mts"].flatMap((file) =>
    findAny(join(folder, file), options, isOurs),
  );
}

function versionOf(dependency: string): string {
  const manifest = readFileSync(join(root, "node_modules", dependency, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Compilers live side by side in one folder. */
function aliasOf(version: string): string {
  return `typescript-${version.replaceAll(".", "-")}`;
}

function assertNone(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join("\n"));
}
