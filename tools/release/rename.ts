// npm run release -- rename --scope @name --repository owner/name --site https://…/: writes other names into every file. The ones that
// are in use are in package.json, under `names`.
import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { names, root } from "../packages.ts";

const { values } = parseArgs({
  options: { scope: { type: "string" }, repository: { type: "string" }, site: { type: "string" } },
});
const FORMS = {
  scope: /^@[a-z0-9][a-z0-9-]*$/,
  repository: /^[\w.-]+\/[\w.-]+$/,
  site: /^https:\/\/.+\/$/,
} as const;
const WANTED = {
  scope: "a scope such as @name",
  repository: "an owner and a name, such as owner/name",
  site: "an address that ends with a slash",
} as const;

const replacements: [from: string, to: string][] = [];
// The site first: it may hold the name of the repository.
for (const name of ["site", "repository", "scope"] as const) {
  const to = values[name];
  if (to === undefined) continue;
  if (!FORMS[name].test(to)) {
    console.error(`--${name} takes ${WANTED[name]}, not "${to}".`);
    process.exit(2);
  }
  replacements.push([names[name], to]);
}

const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
let count = 0;
for (const file of files.filter(Boolean)) {
  const path = join(root, file);
  if (!lstatSync(path).isFile()) continue;
  const bytes = readFileSync(path);
  // A picture.
  if (bytes.includes(0)) continue;
  const text = bytes.toString();
  const renamed = replacements.reduce((each, [from, to]) => each.replaceAll(from, to), text);
  if (renamed === text) continue;
  writeFileSync(path, renamed);
  count += 1;
}
console.log(`${count} files have other names. Run npm run format, then npm test.`);
