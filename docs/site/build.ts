// npm run docs: writes the generated pages and builds the site. With --dev it serves them, and builds nothing.
import { join } from "node:path";
import { build, createServer } from "vitepress";
import { writeApi } from "./write-api.ts";
import { writePages } from "./write-pages.ts";

const docs = join(import.meta.dirname, "..");
const isDev = process.argv.includes("--dev");

console.log("reading the packages …");
writePages();
await writeApi();
if (isDev) {
  const server = await createServer(docs, { host: "127.0.0.1" });
  await server.listen();
  server.printUrls();
} else {
  await build(docs);
  console.log("the site is in docs/.vitepress/dist");
}
