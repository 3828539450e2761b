import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import ts from "typescript";
import { exec } from "../exec.ts";
import { packages, root } from "../packages.ts";
import { contentProblems } from "./contents.ts";
import { findAny } from "./find-any.ts";
import { tarballOf } from "./pack.ts";

/** A compiler and the ways in which it looks for modules. */
interface Compiler {
  readonly typescript: string;
  readonly modules: readonly string[];
}

const NARROW: readonly Compiler[] = [{ typescript: "6.0.3", modules: ["nodenext", "node16"] }];
const WIDE: readonly Compiler[] = ["5.5.4", "5.9.3", "6.0.3", "7.0.2"].map((typescript) => ({
  typescript,
  modules: ["nodenext", "node16", "bundler"],
}));

/** Installs the tarballs as a user would, and uses every entry by import, by require and through tsc. */
export async function checkConsumers(width: "narrow" | "wide"): Promise<undefined> {
  const compilers = width === "wide" ? WIDE : NARROW;
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-consumer-"));
  try {
    await install(folder, compilers);
    assertNone(
      packages.flatMap(({ manifest }) => problemsOf(join(folder, "node_modules", manifest.name))),
    );
    writePrograms(folder);
    for (const compiler of compilers) {
      for (const module of compiler.modules) await compile(folder, compiler.typescript, module);
    }
    await run(folder);
    assertNone(anyIn(folder).map((path) => `${path} is any`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function install(folder: string, compilers: readonly Compiler[]): Promise<void> {
  const own = packages.map((each) => [each.manifest.name, `file:${tarballOf(each)}`] as const);
  const peers = packages.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {}));
  const types = ["@types/node", versionOf("@types/node")] as const;
  const typescript = compilers.map(
    (each) => [aliasOf(each.typescript), `npm:typescript@${each.typescript}`] as const,
  );
  const dependencies = Object.fromEntries([...own, ...peers, types, ...typescript]);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  await exec(
    "npm",
    ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"],
    { cwd: folder },
  );
}

function problemsOf(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  const texts = new Map(
    files.map((path) => [path.replaceAll("\\", "/"), readFileSync(join(folder, path), "utf8")]),
  );
  return contentProblems(texts).map((problem) => `${folder}: ${problem}`);
}

/** A program that works, and one that shows what every entry exports; each in both module systems. */
function writePrograms(folder: string): void {
  const entries = packages.flatMap(({ manifest }) =>
    Object.keys(manifest.exports).map((path) => manifest.name + path.slice(1)),
  );
  const lines = [
    ...entries.map((entry, index) => `import * as e${index} from "${entry}";`),
    `const all = { ${entries.map((entry, index) => `"${entry}": e${index}`).join(", ")} };`,
    "const named = Object.entries(all).map(([entry, its]) => [entry, Object.keys(its).sort()]);",
    "console.log(JSON.stringify(Object.fromEntries(named)));",
  ];
  for (const extension of ["mts", "cts"]) {
    writeFileSync(join(folder, `entries.${extension}`), lines.join("\n"));
    copyFileSync(join(root, "tools", "consumer", "use.ts"), join(folder, `use.${extension}`));
  }
}

async function compile(folder: string, typescript: string, module: string): Promise<void> {
  const options =
    module === "bundler"
      ? { module: "esnext", moduleResolution: "bundler", noEmit: true }
      : { module, outDir: "out" };
  const names =
    module === "bundler"
      ? ["entries.mts", "use.mts"]
      : ["entries.mts", "entries.cts", "use.mts", "use.cts"];
  const common = {
    target: "es2022",
    strict: true,
    skipLibCheck: false,
    types: ["node"],
    rootDir: ".",
  };
  const config = { compilerOptions: { ...common, ...options }, files: names };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(folder, "node_modules", aliasOf(typescript), "bin", "tsc");
  await exec(process.execPath, [tsc, "--project", folder]);
}

async function run(folder: string): Promise<void> {
  await exec(process.execPath, [join(folder, "out", "use.mjs")]);
  await exec(process.execPath, [join(folder, "out", "use.cjs")]);
  const imported = await exportsSeenBy(join(folder, "out", "entries.mjs"));
  const required = await exportsSeenBy(join(folder, "out", "entries.cjs"));
  if (!isDeepStrictEqual(imported, required)) {
    throw new Error(
      `import and require differ: ${JSON.stringify({ imported, required }, null, 2)}`,
    );
  }
  assertNone(
    Object.keys(imported)
      .filter((entry) => imported[entry]?.length === 0)
      .map((entry) => `${entry} exports nothing`),
  );
  for (const name of packages.flatMap(({ manifest }) => Object.keys(manifest.bin ?? {}))) {
    await exec(join(folder, "node_modules", ".bin", name), ["--help"]);
  }
}

async function exportsSeenBy(program: string): Promise<Record<string, string[]>> {
  const seen = JSON.parse(await exec(process.execPath, [program])) as Record<string, string[]>;
  // What the compiler adds when `import * as` becomes require.
  const isOwn = (name: string): boolean => name !== "default" && name !== "__esModule";
  return Object.fromEntries(
    Object.entries(seen).map(([entry, names]) => [entry, names.filter(isOwn)]),
  );
}

function anyIn(folder: string): string[] {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    strict: true,
    types: ["node"],
    typeRoots: [join(folder, "node_modules", "@types")],
  };
  return findAny(join(folder, "entries.mts"), options, (file) =>
    file.includes("/node_modules/@fieldmesh/"),
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
