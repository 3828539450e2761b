// npm run openapi: writes every machine-readable document into docs/public, and removes those that are no more.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { folders, publicFolder } from "./folders.ts";
import { generate } from "./generate.ts";

const files = generate();
for (const folder of folders) rmSync(join(publicFolder, folder), { recursive: true, force: true });
for (const [path, text] of files) {
  mkdirSync(dirname(join(publicFolder, path)), { recursive: true });
  writeFileSync(join(publicFolder, path), text);
}
console.log(`${files.size} documents written to docs/public`);
