import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { exec } from "../exec.ts";
import { type Package, packages, root } from "../packages.ts";

/**
 * The programs that use the installed packages: one does what a user does, the others list what every
 * entry exports. Each is written as ESM and as CommonJS.
 */
export function writePrograms(folder: string): void {
  const entries = packages.flatMap((each) => entriesOf(each, folder));
  const texts = {
    use: readFileSync(join(root, "tools", "consumer", "use.ts"), "utf8"),
    entries: listing(entries.filter(({ needsPeer }) => !needsPeer)),
    peers: listing(entries.filter(({ needsPeer }) => needsPeer)),
  };
  for (const [name, text] of Object.entries(texts)) {
    for (const extension of ["mts", "cts"])
      writeFileSync(join(folder, `${name}.${extension}`), text);
  }
}

interface Entry {
  readonly name: string;
  /** Its types name an optional peer, so it asks of the compiler what the peer asks. */
  readonly needsPeer: boolean;
}

function entriesOf({ manifest }: Package, folder: string): Entry[] {
  const peers = Object.keys(manifest.peerDependencies ?? {});
  return Object.entries(manifest.publishConfig.exports).map(([path, { import: target }]) => {
    const types = readFileSync(join(folder, "node_modules", manifest.name, target.types), "utf8");
    return {
      name: manifest.name + path.slice(1),
      needsPeer: peers.some((peer) => types.includes(`'${peer}'`)),
    };
  });
}

function listing(entries: readonly Entry[]): string {
  return [
    ...entries.map(({ name }, index) => `import * as e${index} from "${name}";`),
    `const all = { ${entries.map(({ name }, index) => `"${name}": e${index}`).join(", ")} };`,
    "const named = Object.entries(all).map(([entry, its]) => [entry, Object.keys(its).sort()]);",
    "console.log(JSON.stringify(Object.fromEntries(named)));",
  ].join("\n");
}

/** Runs what the compiler made of the programs, and the packages' own commands. */
export async function runPrograms(folder: string, node: string): Promise<void> {
  for (const extension of ["mjs", "cjs"] as const) await runProgram(folder, node, "use", extension);

  const imported = await exportsSeenBy(folder, node, "mjs");
  const required = await exportsSeenBy(folder, node, "cjs");
  if (!isDeepStrictEqual(imported, required)) {
    throw new Error(
      `import and require differ: ${JSON.stringify({ imported, required }, null, 2)}`,
    );
  }
  const empty = Object.keys(imported).filter((entry) => imported[entry]?.length === 0);
  if (empty.length > 0) throw new Error(`${empty.join(", ")} exports nothing`);

  for (const { manifest } of packages) {
    for (const path of Object.values(manifest.bin ?? {})) {
      await exec(node, [join(folder, "node_modules", manifest.name, path), "--help"]);
    }
  }
}

/** The names that every entry exports. */
async function exportsSeenBy(
  folder: string,
  node: string,
  extension: "mjs" | "cjs",
): Promise<Exports> {
  const seen: Exports = {};
  for (const program of ["entries", "peers"]) {
    Object.assign(seen, JSON.parse(await runProgram(folder, node, program, extension)));
  }
  // What the compiler adds when `import * as` becomes require.
  const isOwn = (name: string): boolean => name !== "default" && name !== "__esModule";
  return Object.fromEntries(
    Object.entries(seen).map(([entry, names]) => [entry, names.filter(isOwn)]),
  );
}

type Exports = Record<string, string[]>;

function runProgram(
  folder: string,
  node: string,
  program: string,
  extension: "mjs" | "cjs",
): Promise<string> {
  // Node can require ESM, but Jest and others who bring a loader of their own cannot. msw asks for it.
  const flags =
    extension === "cjs" && program !== "peers" ? ["--no-experimental-require-module"] : [];
  return exec(node, [...flags, join(folder, "out", `${program}.${extension}`)]);
}
