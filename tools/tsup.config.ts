// Why it is so: docs/decisions/13-tsup-behind-one-file.md
import { transform } from "esbuild";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { defineConfig, type Options } from "tsup";
import { loads } from "./build-loads.ts";
import { entriesOf, type Manifest } from "./packages.ts";

/**
 * The build of every package: ESM and CommonJS, with types for both, one file per entry of its exports.
 *
 * No source maps: the output is not minified, so that a stack trace names the method as it is, and
 * the tarball stays half the size.
 */
function packageBuild(): ReturnType<typeof defineConfig> {
  const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
  const sources = entriesOf(manifest).map(([, source]) => source);
  const entry = Object.fromEntries(sources.map((source) => [nameOf(source), source]));
  const internal = internalsOf(manifest).map((each) => [nameOf(each), each] as const);
  const program = existsSync("src/commands/cli.ts") ? { cli: "src/commands/cli.ts" } : {};
  // Files of an earlier build would be packed. tsup's own `clean` would do this in each of the three builds.
  rmSync("dist", { recursive: true, force: true });
  // Core contains the part of zod that all packages use.
  const copied = manifest.exports["./internal/zod"] === undefined ? [] : [/^zod\//];
  const esm = {
    ...shared,
    noExternal: copied,
    entry: { ...entry, ...program },
  };
  return defineConfig([
    esm,
    {
      ...shared,
      ...commonJs,
      // ky is ESM only, and `require("ky").default` is not what `import` returns, so this build contains it.
      noExternal: ["ky", ...copied],
      inject: manifest.dependencies?.["ky"] === undefined ? [] : ["../../tools/text-encoder.ts"],
      entry,
    },
    // Each with a copy of what it needs, so that no file that loads first contains a part of it.
    ...[shared, { ...shared, ...commonJs }].flatMap((format) =>
      internal.map(([name, source]) => ({
        ...format,
        entry: { [name]: source },
        noExternal: copied,
      })),
    ),
    { ...shared, entry, format: ["esm", "cjs"], dts: { only: true } },
  ]);
}

const shared: Options = {
  format: "esm",
  target: "node22",
  platform: "neutral",
  // What begins with "#" is chosen by the user's export conditions, not when we build.
  external: [/^node:/, /^#/],
  removeNodeProtocol: false,
  silent: true,
  esbuildPlugins: loads.map(({ filter, type, read }) => ({
    name: `load ${filter.source}`,
    setup(build) {
      build.onLoad({ filter }, async ({ path }) => ({ contents: await read(path), loader: type }));
    },
  })),
};

/**
 * ESM rewritten chunk by chunk, because entries of a package must share their classes: esbuild splits
 * only ESM, and what tsup does instead turns class fields and `??` into helpers for old engines.
 */
const commonJs: Options = {
  outExtension: () => ({ js: ".cjs" }),
  plugins: [
    {
      name: "commonjs",
      renderChunk: (code) =>
        transform(code, {
          format: "cjs",
          platform: "node",
          target: "node22",
          // A file that loads later is required: Jest rejects import() in CommonJS.
          supported: { "dynamic-import": false },
        }),
    },
  ],
};

/** Files that a package imports by a `#name` of its own: one for each condition. */
function internalsOf({ imports = {} }: Manifest): string[] {
  return Object.values(imports).flatMap((conditions) => Object.values(conditions));
}

/** `./src/schema/index.ts` is the entry `schema/index`. */
function nameOf(source: string): string {
  return source.replace(/^\.\/src\//, "").replace(/\.ts$/, "");
}

export default packageBuild();
