// npm run docs: writes the generated pages and builds the site. With --dev it serves them, and builds nothing.
import { join } from "node:path";
import { build, createServer } from "vitepress";
import { writeApi } from "./write-api.ts";
import { writePages } from "./write-pages.ts";

const docs = join(import.meta.dirname, "..");
const isDev = process.argv.includes("--dev");
/** A plugin prints a line for each page that it has read, and for each that it was told to leave out. */
const NOISE = /llmstxt »|No matching file found for sidebar link/;

for (const name of ["log", "warn"] as const) {
  const print = console[name].bind(console);
  console[name] = (...words: unknown[]) => {
    if (!NOISE.test(words.join(" "))) print(...words);
  };
}
// A page that cannot be rendered is printed as an error, and left empty.
const printError = console.error.bind(console);
console.error = (...words: unknown[]) => {
  process.exitCode = 1;
  printError(...words);
};

console.log("reading the packages …");
writePages();
await writeApi();
if (isDev) {
  const server = await createServer(docs, { host: "127.0.0.1" });
  await server.listen();
  server.printUrls();
} else {
  await build(docs);
  console.log(
    process.exitCode === 1
      ? "some pages are broken, the reason is above"
      : "the site is in docs/.vitepress/dist",
  );
}
