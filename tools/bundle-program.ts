// Bundles the program of a package, with our packages in it. Why it is so: docs/decisions/13-tsup-behind-one-file.md
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { loads } from "./build-loads.ts";
import type { Manifest } from "./packages.ts";

const PROGRAM = "src/commands/cli.ts";
/** What every call of a service loads, in one file with all that these import: to find and read fifty takes longer. */
const CALL =
  /\/(cli\/src\/(commands\/run-command|rows\/run-row)|http\/src\/.*|core\/src\/schema\/(?!compile).*)\.ts$/;
const CONSOLE = /\/console-client\/src\/(index|endpoints)\.ts$/;
/** A package of others, where pnpm keeps it. */
const PACKAGE = /\/node_modules\/(?!\.pnpm\/)((?:@[^/]+\/)?[^/]+)/;

// As the script "build" of a package.
if (import.meta.main) await bundleProgram(process.cwd(), "dist");

/** Bundles the program of the package in `folder`, without its dependencies. Returns the sources of each file, by its absolute path. */
export async function bundleProgram(
  folder: string,
  dir: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Manifest;
  const installed = Object.keys({ ...dependencies, ...peerDependencies });
  const bundle = await rolldown({
    cwd: folder,
    input: { cli: PROGRAM },
    platform: "node",
    external: (id) => installed.some((name) => id === name || id.startsWith(`${name}/`)),
    // Some import at once what others load later.
    checks: { ineffectiveDynamicImport: false },
    plugins: loads.map(({ filter, type, read }) => ({
      name: `load ${filter.source}`,
      load: {
        filter: { id: filter },
        handler: async (path: string) => ({ code: await read(path), moduleType: type }),
      },
    })),
  });
  const { output } = await bundle.write({
    dir,
    cleanDir: true,
    format: "esm",
    chunkFileNames: "[name]-[hash].js",
    // The names and lines stay, because an unexpected error prints its place. Without them, a start costs the same.
    comments: false,
    codeSplitting: {
      groups: [
        // All but the program itself, which waits for its command, and the command imports these.
        { name: "start", tags: ["$initial"], test: (id) => !id.endsWith(PROGRAM), priority: 3 },
        { name: "call", test: CALL, priority: 2 },
        { name: "console", test: CONSOLE, priority: 1 },
      ],
    },
  });
  const sources = new Map(
    output.map((file) => [
      resolve(folder, dir, file.fileName),
      "modules" in file ? Object.keys(file.modules) : [],
    ]),
  );
  const copied = [...sources.values()].flat().flatMap((path) => PACKAGE.exec(path)?.[1] ?? []);
  const unlicensed = copied.find((name) => !existsSync(join(folder, `LICENSE-${name}`)));
  if (unlicensed !== undefined)
    throw new Error(
      `The bundle contains ${unlicensed}: add LICENSE-${unlicensed}, or make it a dependency.`,
    );
  return sources;
}
