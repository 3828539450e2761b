// Why it is so: docs/decisions/31-a-page-in-the-sandbox.md
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { readEventTexts } from "./event-texts.ts";

/** A file of the page, as a server sends it. */
export interface PageFile {
  readonly type: string;
  readonly body: string;
}

const folder = import.meta.dirname;

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

let built: Promise<Readonly<Record<string, PageFile>>> | undefined;

/** Builds the files of the page, for a program that runs from sources. A build replaces this module, see tools/tsup.config.ts. */
export function pageFiles(): Promise<Readonly<Record<string, PageFile>>> {
  return (built ??= buildPage());
}

async function buildPage(): Promise<Readonly<Record<string, PageFile>>> {
  const { outputFiles } = await build({
    entryPoints: { page: join(folder, "main.tsx"), style: join(folder, "style.css") },
    outdir: folder,
    write: false,
    bundle: true,
    minify: true,
    format: "esm",
    target: ["chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
  });
  const assets = outputFiles.map(({ path, text }) => {
    const name = path.slice(folder.length + 1);
    const type = TYPES[name.split(".").at(-1) ?? ""] ?? "text/plain; charset=utf-8";
    return [`/page/${name}`, { type, body: text }] as const;
  });
  return {
    "/": {
      type: "text/html; charset=utf-8",
      body: readFileSync(join(folder, "index.html"), "utf8"),
    },
    ...Object.fromEntries(assets),
    // Loaded with the first form for an event.
    "/page/event-texts.json": {
      type: "application/json; charset=utf-8",
      body: JSON.stringify(readEventTexts()),
    },
  };
}
