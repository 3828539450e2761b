// Why it is so: docs/decisions/15-sources-and-tarballs.md
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { findCodeFromText } from "../code-from-text.ts";
import { entriesOf, packages, root } from "../packages.ts";

const SHIPPED =
  /^(package\.json|README\.md|docs\/[a-z-]+\.md|llms\.txt|LICENSE(-[a-z]+)?|bin\/[a-z-]+\.js|migrations\/[a-z]+\/\d{3}-[a-z-]+\.sql|views\/[a-z]+\.sql|dist\/.+\.(js|cjs|d\.ts|d\.cts))$/;
const DEPENDENCY = /^(ky|zod|@fieldmesh\/[a-z-]+)$/;
/** The command line contains our packages, and with them what they need. */
const CLI_NEEDS = [
  "@noble/hashes",
  "@scure/base",
  "@streamparser/json",
  "age-encryption",
  "csv-parse",
  "csv-stringify",
  "env-paths",
  "hyparquet-writer",
  "pg",
  "string-width",
];
const OWN = { "./package.json": "./package.json" };
/** What is copied into a package, whose license is packed with it, and which package has it. */
const COPIED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cli: { commander: "cli", ky: "http", zod: "core" },
  core: { zod: "core" },
};
const ZOD_LINE = "const F = Function;";
/** What a package needs beside ky, zod and ours: the sandbox for addresses with a checksum. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  cli: CLI_NEEDS,
  // The counters of shared limits.
  "rate-limit": ["rate-limiter-flexible"],
  sandbox: ["@noble/hashes", "@scure/base"],
};

describe.each(packages)("the tarball of $id", ({ id, manifest, tarball }) => {
  /** It has no entry that a user could import. */
  const isProgram = entriesOf(manifest).length === 0;
  const packed = createPackageFromTarballData(readFileSync(tarball));
  const prefix = `/node_modules/${manifest.name}/`;
  const files = packed.listFiles().map((path) => path.replace(prefix, ""));
  const read = (path: string): string => packed.readFile(prefix + path);
  const declarations = files.filter((path) => /\.d\.c?ts$/.test(path));
  const its = JSON.parse(read("package.json")) as Record<string, object>;

  it.skipIf(isProgram)("leads each entry to its build, and nothing to a source", () => {
    const { main, imports = {} } = manifest;
    const { import: esm, require: cjs } = entry(main);

    expect(its).toMatchObject({ main: cjs.default, module: esm.default, types: esm.types });
    expect(its["exports"]).toEqual({
      ...mapValues(Object.fromEntries(entriesOf(manifest)), entry),
      ...OWN,
    });
    expect(its["imports"] ?? {}).toEqual(
      mapValues(imports, (conditions) => mapValues(conditions, built)),
    );
  });

  it("exports its package.json, which tools of users read", () => {
    expect(its["exports"]).toMatchObject(OWN);
  });

  it("needs ky, zod, our packages and what is listed here, and runs nothing on install", () => {
    expect(read("package.json")).not.toMatch(/\/src\/|"workspace:|"catalog:/);
    const needs = Object.keys(its["dependencies"] ?? {});
    const others = needs.filter((name) => !DEPENDENCY.test(name));
    expect(others).toEqual(OTHERS[id] ?? []);
    expect(its).not.toHaveProperty("scripts");
  });

  it("holds the build, a README and the license, and no path of this machine", () => {
    expect(files).toEqual(expect.arrayContaining(["package.json", "README.md", "LICENSE"]));
    expect(files.filter((path) => !SHIPPED.test(path) || path.includes(".test."))).toEqual([]);
    const places = [`${root}/`, `${homedir()}/`];
    expect(files.filter((path) => places.some((place) => read(path).includes(place)))).toEqual([]);
  });

  it("makes no code from text, except in copies of zod and commander", () => {
    const scripts = files.filter((path) => /\.c?js$/.test(path));
    expect(scripts.length).toBeGreaterThan(1);
    const found = scripts.flatMap((path) => findCodeFromText(path, read(path)));
    const lines = found.map((each) => each.replace(/^.*?:\d+: /, ""));
    // The probe and the compiler of zod; core has them in both formats. commander has an option with the value "eval".
    const commander = [expect.stringContaining(' = "eval";'), 'case "eval":'];
    const known = { cli: [ZOD_LINE, ZOD_LINE, ...commander], core: Array(4).fill(ZOD_LINE) };
    expect(lines).toEqual(id === "cli" || id === "core" ? known[id] : []);
  });

  it("holds the license of each package that is copied into it", () => {
    const copied = COPIED[id] ?? {};
    const names = files.flatMap((path) => /^LICENSE-(.*)/.exec(path)?.[1] ?? []);
    expect(names).toEqual(Object.keys(copied));
    for (const [name, owner] of Object.entries(copied)) {
      const folder = join(root, "packages", owner, "node_modules", name);
      const license = readdirSync(folder).find((file) => /^license$/i.test(file)) ?? "";
      expect(read(`LICENSE-${name}`)).toBe(readFileSync(join(folder, license), "utf8"));
    }
  });

  it("declares no `any`, no type of ky, and nothing newer than TypeScript 5.5", () => {
    expect(declarations.flatMap((path) => anyIn(path, read(path)))).toEqual([]);
    expect(declarations.filter((path) => read(path).includes("Uint8Array<"))).toEqual([]);
    // ky has types for ESM only: a CommonJS user under "module": "node16" could not compile.
    expect(declarations.filter((path) => /["']ky(\/[^"']*)?["']/.test(read(path)))).toEqual([]);
  });

  it("passes publint", async () => {
    const content = new Uint8Array(readFileSync(tarball)).buffer;
    const { messages, pkg } = await publint({ pack: { tarball: content }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
  });

  it.skipIf(isProgram)("passes attw", async () => {
    const result = await checkPackage(packed);
    const problems = result.types === false ? ["no types"] : result.problems;
    // node10 reads no exports map, and no Node that we support resolves that way.
    expect(problems.filter((each) => !JSON.stringify(each).includes('"node10"'))).toEqual([]);
  });
});

/** What `./src/schema/index.ts` becomes in an exports map, in the shape that attw accepts everywhere. */
function entry(source: string) {
  const { import: esm, require: cjs } = built(source);
  return {
    import: { types: esm.replace(/js$/, "d.ts"), default: esm },
    require: { types: cjs.replace(/cjs$/, "d.cts"), default: cjs },
  };
}

function built(source: string) {
  const path = source.replace("./src/", "./dist/");
  return { import: path.replace(/ts$/, "js"), require: path.replace(/ts$/, "cjs") };
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, to: (value: T) => R) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));
}

/** Lines that say `any`. An import that leads nowhere is an error of tsc: see installed.slow.test.ts. */
function anyIn(path: string, text: string): string[] {
  const found: string[] = [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  file.forEachChild(function visit(node): void {
    if (node.kind === ts.SyntaxKind.AnyKeyword) {
      const { line } = file.getLineAndCharacterOfPosition(node.end);
      found.push(`${path}: ${text.split("\n")[line]?.trim()}`);
    }
    node.forEachChild(visit);
  });
  return found;
}
