// node tools/release/publish.ts <folder> [--github]: publishes the tarballs of a folder that npm does not have yet. With --github, each package gets a
// release there, with the bill of materials and the documents in that folder. It needs Node, npm and gh, and no other package.
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { exec } from "../exec.ts";
import { dependenciesFirst, type Package, packages } from "../packages.ts";
import { distTag } from "./dist-tag.ts";

const [given = "", ...flags] = process.argv.slice(2);
const folder = resolve(given);
for (const each of dependenciesFirst(packages)) {
  await publish(each);
  if (flags.includes("--github")) await releaseOnGitHub(each);
}

async function publish({ manifest: { name, version }, tarball }: Package): Promise<void> {
  const versions = await versionsOf(name);
  if (versions.includes(version)) return;
  const file = join(folder, "tarballs", basename(tarball));
  await exec("npm", [
    "publish",
    file,
    "--access=public",
    `--tag=${distTag(version, versions)}`,
    "--ignore-scripts",
  ]);
  console.log(`published ${name}@${version}`);
}

/** The versions that npm has. */
async function versionsOf(name: string): Promise<string[]> {
  // npm prints a string if there is one version, and an error to the same stream.
  const printed = await exec("npm", ["view", name, "versions", "--json"]).catch((error: Error) => {
    if (/"code":\s*"E404"/.test(error.message)) return "[]";
    throw error;
  });
  return [JSON.parse(printed) as string | string[]].flat();
}

async function releaseOnGitHub({ id, folder: home, manifest }: Package): Promise<void> {
  const tag = `${manifest.name}@${manifest.version}`;
  const isThere = await exec("gh", ["release", "view", tag]).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const file = join(folder, "sbom", `${id}.cdx.json`);
  const options = [`--target=${process.env["GITHUB_SHA"]}`, `--title=${tag}`];
  options.push(`--notes=${notesOf(home, manifest.version)}`);
  if (manifest.version.includes("-")) options.push("--prerelease");
  await exec("gh", ["release", "create", tag, ...options, file, join(folder, "documents.tgz")]);
}

/** What the changelog of a package says of a version. */
function notesOf(home: string, version: string): string {
  const file = join(home, "CHANGELOG.md");
  const changelog = existsSync(file) ? readFileSync(file, "utf8") : "";
  const [, section = ""] = changelog.split(`\n## ${version}\n`);
  return section.replace(/\n## [^]*$/, "").trim();
}
