import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec } from "../exec.ts";
import { install, tarballs } from "../install.ts";
import { entriesOf, type Package, packages, root } from "../packages.ts";

export type Format = "esm" | "cjs";

/** msw needs a recent compiler, and is ESM only: under node16, its users use ESM. */
const acceptsPeers = (typescript: string, module: string): boolean =>
  typescript >= "6" && module !== "node16";

/** Installs the tarballs into an empty project like a user, together with compilers and other packages. */
export async function installConsumer(
  compilers: readonly string[],
  others: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-consumer-"));
  const dependencies = Object.fromEntries([
    ...Object.entries(tarballs),
    ...packages.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {})),
    ["@types/node", versionOf("@types/node")],
    // Compilers are installed side by side.
    ...compilers.map((version) => [aliasOf(version), `npm:typescript@${version}`]),
    ...Object.entries(others),
  ]) as Record<string, string>;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  await install(folder);
  writePrograms(folder);
  return folder;
}

/** Compiles the programs. Throws the output of the compiler. */
export async function compile(folder: string, typescript: string, module: string): Promise<void> {
  const isBundler = module === "bundler";
  const programs = [
    "use",
    "compose",
    "entries",
    ...(acceptsPeers(typescript, module) ? ["peers"] : []),
  ];
  const compilerOptions = {
    target: "es2022",
    strict: true,
    // A broken import in our declarations is an error, and not an `any`.
    skipLibCheck: false,
    types: ["node"],
    rootDir: ".",
    ...(isBundler
      ? { module: "esnext", moduleResolution: "bundler", noEmit: true }
      : { module, outDir: "out" }),
  };
  const extensions = isBundler ? ["mts"] : ["mts", "cts"];
  const files = programs.flatMap((name) => extensions.map((extension) => `${name}.${extension}`));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const tsc = join(folder, "node_modules", aliasOf(typescript), "bin", "tsc");
  await exec(process.execPath, [tsc, "--project", folder], { cwd: folder });
}

/** Runs a compiled program and returns its output. */
export function runProgram(
  folder: string,
  program: "use" | "compose" | "entries" | "peers",
  format: Format,
  node = process.execPath,
): Promise<string> {
  // Node can require ESM, but Jest and other loaders cannot. msw needs it.
  const flags = format === "cjs" && program !== "peers" ? ["--no-experimental-require-module"] : [];
  const extension = format === "esm" ? "mjs" : "cjs";
  return exec(node, [...flags, join(folder, "out", `${program}.${extension}`)]);
}

/** Returns the names of the exports of each entry. */
export async function exportsOf(
  folder: string,
  format: Format,
  node?: string,
): Promise<Record<string, string[]>> {
  const entries = await runProgram(folder, "entries", format, node);
  const peers = await runProgram(folder, "peers", format, node);
  return { ...JSON.parse(entries), ...JSON.parse(peers) } as Record<string, string[]>;
}

/** Two programs do what a user does. The others list the exports of every entry. Each is written as ESM and as CommonJS. */
function writePrograms(folder: string): void {
  const entries = packages.flatMap((each) => listedOf(each, folder));
  const programs = {
    use: readFileSync(join(root, "tools", "consumer", "use.ts"), "utf8"),
    compose: readFileSync(join(root, "tools", "consumer", "compose.ts"), "utf8"),
    entries: listing(entries.filter(({ needsPeer }) => !needsPeer)),
    peers: listing(entries.filter(({ needsPeer }) => needsPeer)),
  };
  for (const [name, text] of Object.entries(programs)) {
    for (const extension of ["mts", "cts"])
      writeFileSync(join(folder, `${name}.${extension}`), text);
  }
}

interface Entry {
  readonly name: string;
  /** Its types name an optional peer, so it needs the compiler that the peer requires. */
  readonly needsPeer: boolean;
}

function listedOf({ manifest }: Package, folder: string): Entry[] {
  const peers = Object.keys(manifest.peerDependencies ?? {});
  return entriesOf(manifest).map(([path, source]) => {
    const types = source.replace("./src/", "./dist/").replace(/ts$/, "d.ts");
    const text = readFileSync(join(folder, "node_modules", manifest.name, types), "utf8");
    return {
      name: manifest.name + path.slice(1),
      needsPeer: peers.some((peer) => text.includes(`'${peer}'`)),
    };
  });
}

function listing(entries: readonly Entry[]): string {
  return [
    ...entries.map(({ name }, index) => `import * as e${index} from "${name}";`),
    `const all = { ${entries.map(({ name }, index) => `"${name}": e${index}`).join(", ")} };`,
    // The compiler adds these two when `import * as` becomes require.
    'const isOurs = (name: string) => name !== "default" && name !== "__esModule";',
    "const named = Object.entries(all).map(([entry, its]) => [entry, Object.keys(its).filter(isOurs).sort()]);",
    "console.log(JSON.stringify(Object.fromEntries(named)));",
  ].join("\n");
}

function versionOf(dependency: string): string {
  const manifest = readFileSync(join(root, "node_modules", dependency, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

function aliasOf(version: string): string {
  return `typescript-${version.replaceAll(".", "-")}`;
}
