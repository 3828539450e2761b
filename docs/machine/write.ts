// npm run openapi: writes every machine-readable document into docs/public, and removes those that are no more. The commands of
// all rows go to the command line.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { COMMANDS_FILE } from "./commands.ts";
import { folders, publicFolder, root } from "./folders.ts";
import { generate } from "./generate.ts";

const { files, commands } = generate();
for (const folder of folders) rmSync(join(publicFolder, folder), { recursive: true, force: true });
for (const [path, text] of files) {
  mkdirSync(dirname(join(publicFolder, path)), { recursive: true });
  writeFileSync(join(publicFolder, path), text);
}
writeFileSync(join(root, COMMANDS_FILE), commands);
console.log(`${files.size} documents written to docs/public`);
