// npm run release -- pack console-client [names]: prints the command that installs packages of this checkout, which turbo has packed
// before. Without a name, it installs all of them.
import { dependenciesFirst, type Package, packages } from "../packages.ts";

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => find(name) === undefined);
if (unknown.length > 0) {
  const known = packages.map(({ id }) => id).join(", ");
  console.error(`There is no package ${unknown.join(", ")}. Name some of these: ${known}.`);
  process.exit(2);
}

const chosen = wanted.length === 0 ? packages : wanted.flatMap((name) => find(name) ?? []);
const files = dependenciesFirst(chosen).map(({ tarball }) => JSON.stringify(tarball));
console.log(`In the folder of your project, run:\n\nnpm install ${files.join(" ")}`);

function find(name: string): Package | undefined {
  return packages.find(({ id, manifest }) => name === id || name === manifest.name);
}
