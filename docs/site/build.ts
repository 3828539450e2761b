// npm run docs: writes the generated pages and builds the site. With --dev it serves the pages instead of building. With
// --keep-pages it builds the pages as they are.
// Why it is so: docs/decisions/24-the-site-is-generated.md
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, createServer } from "vitepress";
import { writeFiles } from "../../tools/files.ts";
import { names } from "../../tools/packages.ts";
import { generate } from "../documents/generate.ts";
import { writeBundles } from "./run/bundle.ts";
import { siteFolder } from "./serve-site.ts";
import { writeApi } from "./write-api.ts";
import { writePages } from "./write-pages.ts";

const docs = join(import.meta.dirname, "..");
const isDev = process.argv.includes("--dev");
/** The llms plugin prints a line for each page that it reads, and for each that it leaves out. */
const NOISE = /llmstxt »|No matching file found for sidebar link/;

for (const name of ["log", "warn"] as const) {
  const print = console[name].bind(console);
  console[name] = (...words: unknown[]) => {
    if (!NOISE.test(words.join(" "))) print(...words);
  };
}
// VitePress prints an error for a page that it cannot render, and leaves the page empty.
const printError = console.error.bind(console);
console.error = (...words: unknown[]) => {
  process.exitCode = 1;
  printError(...words);
};

if (!process.argv.includes("--keep-pages")) {
  console.log("reading the packages …");
  await writePages();
  await writeApi();
}
await writeBundles();
if (isDev) {
  const server = await createServer(docs, { host: "127.0.0.1" });
  await server.listen();
  server.printUrls();
} else {
  await build(docs);
  writeFiles(generate(), siteFolder);
  addBase(join(siteFolder, "llms.txt"));
  console.log(
    process.exitCode === 1
      ? "some pages are broken: see the errors above"
      : "the site is in docs/.vitepress/dist",
  );
}

/** The plugin forgets the base of the site in lists below another list. */
function addBase(file: string): void {
  const { origin, pathname } = new URL(names.site);
  const forgotten = new RegExp(String.raw`\(${origin}/(?!${pathname.slice(1)})`, "g");
  writeFileSync(file, readFileSync(file, "utf8").replace(forgotten, `(${names.site}`));
}
