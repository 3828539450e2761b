// Why it is so: docs/decisions/32-samples-run-in-the-page.md
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { build, type Plugin } from "esbuild";
import ts from "typescript";
import { readSamples, type Sample } from "../../samples.ts";
import { canRun, fileOf } from "./needs.ts";

const here = import.meta.dirname;
const docs = join(here, "..", "..");

/** Returns the samples that have a button. */
export function runnableSamples(): Sample[] {
  return readSamples().filter(canRun);
}

/**
 * Bundles the workers of the pages: samples, and of the packages only what these call. Each is one file, so that a page that has
 * it needs no network. Returns the files by their names.
 */
export async function bundleSamples(): Promise<ReadonlyMap<string, string>> {
  const pages = Object.groupBy(runnableSamples(), fileOf);
  const { outputFiles } = await build({
    entryPoints: Object.keys(pages).map((page) => ({ in: `page:${page}`, out: page })),
    outdir: docs,
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    // Without `await using`.
    target: "es2022",
    minify: true,
    legalComments: "eof",
    plugins: [provideSamples(pages), leaveOut(), loadAtOnce()],
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path, ".js"), text]));
}

/** Writes these files to a folder that VitePress copies to the site. */
export async function writeBundles(): Promise<void> {
  const folder = join(docs, "public", "samples");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [page, program] of await bundleSamples())
    writeFileSync(join(folder, `${page}.js`), program);
}

/** Resolves pages and their samples. The sandbox of a sample is the one for pages. */
function provideSamples(pages: Readonly<Partial<Record<string, readonly Sample[]>>>): Plugin {
  const samples = new Map(
    Object.values(pages).flatMap((all = []) => all.map((each) => [each.name, each.code])),
  );
  return {
    name: "samples",
    setup(bundling) {
      bundling.onResolve({ filter: /^(page|sample):/ }, ({ path }) => {
        const [namespace, name = ""] = path.split(":");
        return { namespace: namespace!, path: name };
      });
      bundling.onResolve({ filter: /^@fieldmesh\/sandbox$/ }, () => ({
        path: join(here, "sandbox.ts"),
      }));
      // It has the functions that samples call, and its methods are never loaded.
      bundling.onResolve({ filter: /^zod$/, namespace: "sample" }, ({ resolveDir, kind }) =>
        bundling.resolve("zod/mini", { resolveDir, kind }),
      );
      bundling.onLoad({ filter: /./, namespace: "page" }, ({ path }) => ({
        contents: entryOf(pages[path]!),
        resolveDir: here,
      }));
      bundling.onLoad({ filter: /./, namespace: "sample" }, ({ path }) => ({
        contents: toModule(samples.get(path)!),
        loader: "ts",
        resolveDir: docs,
      }));
    },
  };
}

/** Returns the program of the worker of a page. It has a sandbox if a sample reads its environment. */
function entryOf(samples: readonly Sample[]): string {
  const isCalling = samples.some(({ code }) => code.includes("process.env"));
  return [
    `import { respondToPage } from "./worker.ts";`,
    ...(isCalling ? [`import { createEnvironment } from "./sandbox.ts";`] : []),
    ...samples.map(({ name }, index) => `import sample${index} from "sample:${name}";`),
    `const samples = {${samples.map(({ name }, index) => `"${name}": sample${index}`).join(", ")}};`,
    `respondToPage(samples, ${isCalling ? "createEnvironment" : "async () => ({})"});`,
  ].join("\n");
}

/**
 * Leaves out what a short run in a page does not need: the compiler of zod, the controls of the sandbox over HTTP, and all of a
 * manifest but its name and version.
 */
function leaveOut(): Plugin {
  return {
    name: "leave-out",
    setup(bundling) {
      bundling.onLoad({ filter: /\/zod-compile\.ts$/ }, () => ({
        contents: "export const compile = (schema) => schema;",
      }));
      bundling.onLoad({ filter: /\/engine\/controls\/controls\.ts$/ }, () => ({
        contents: `export const serveControls = () => async () => new Response(null, { status: 404 });`,
      }));
      bundling.onLoad({ filter: /\/packages\/[a-z-]+\/package\.json$/ }, async ({ path }) => {
        const { name, version } = JSON.parse(await readFile(path, "utf8")) as Record<
          string,
          string
        >;
        return { contents: JSON.stringify({ name, version }), loader: "json" };
      });
    },
  };
}

/**
 * Turns what the clients load with the first call into static imports: a page is one file, in which esbuild would otherwise wrap
 * each module behind such an import, and all that it imports.
 */
function loadAtOnce(): Plugin {
  return {
    name: "load-at-once",
    setup(bundling) {
      bundling.onLoad({ filter: LOADS_LATER }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        const loaded = [...text.matchAll(/await import\(("[^"]+")\)/g)].map(([, name]) => name!);
        if (loaded.length === 0) throw new Error(`${path} loads nothing later: see LOADS_LATER.`);
        const imports = loaded.map((name, index) => `import * as later${index} from ${name};\n`);
        const contents = loaded.reduce(
          (code, name, index) => code.replace(`await import(${name})`, `later${index}`),
          text,
        );
        return { contents: imports.join("") + contents, loader: "ts" };
      });
    },
  };
}

const LOADS_LATER =
  /\/(core\/src\/schema\/compiled|console-client\/src\/(client|bulk\/(change|create)-many)|ledger-client\/src\/parallel\/walk-in-parallel)\.ts$/;

/** Returns a sample as a module whose default export runs it: its imports, and a function with all else. */
export function toModule(code: string): string {
  const file = ts.createSourceFile("sample.ts", code, ts.ScriptTarget.Latest);
  const imports = file.statements.filter(ts.isImportDeclaration);
  const others = file.statements.filter((statement) => !ts.isImportDeclaration(statement));
  const head = imports.map((statement) => statement.getFullText(file)).join("");
  const body = others.map((statement) => withoutExport(statement, file)).join("");
  return `${head}\nexport default async () => {${body}\n};\n`;
}

/** A function exports nothing. */
function withoutExport(statement: ts.Statement, file: ts.SourceFile): string {
  const text = statement.getFullText(file);
  if (ts.isExportAssignment(statement)) return `\nvoid (${statement.expression.getText(file)});`;
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.[0]?.kind === ts.SyntaxKind.ExportKeyword ? text.replace("export ", "") : text;
}
