// npm run release -- sbom <folder>: writes what an install of each package brings, as CycloneDX.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { packages } from "../packages.ts";
import { billOf } from "./bill-of-materials.ts";

const [folder = "sbom"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const each of packages) {
  const file = join(folder, `${each.id}.cdx.json`);
  writeFileSync(file, JSON.stringify(await billOf(each), undefined, 2));
  console.log(resolve(file));
}
