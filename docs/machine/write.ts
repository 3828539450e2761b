// npm run generate -- openapi: writes the machine-readable documents that Git keeps into docs/public, and removes those that are no more. The
// commands of all rows go to the command line. With a folder, it writes all documents there instead, as a release has them.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS_FILE } from "./commands.ts";
import { folders, publicFolder, root } from "./folders.ts";
import { generate } from "./generate.ts";
import { publish, writeFiles } from "./publish.ts";

const [folder] = process.argv.slice(2);
if (folder !== undefined) {
  publish(folder);
  console.log(`the documents are in ${folder}`);
} else {
  const { kept, commands } = generate();
  for (const each of folders) rmSync(join(publicFolder, each), { recursive: true, force: true });
  writeFiles(kept, publicFolder);
  writeFileSync(join(root, COMMANDS_FILE), commands);
  console.log(`${kept.size} documents written to docs/public`);
}
