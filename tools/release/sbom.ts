// npm run release -- sbom <folder>: writes what an install of each package brings, as CycloneDX.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { exec } from "../exec.ts";
import { install, tarballs } from "../install.ts";
import { type Manifest, type Package, packages } from "../packages.ts";

/** The part of a CycloneDX document that is used. */
export interface Bill {
  readonly bomFormat: "CycloneDX";
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly licenses?: readonly {
      readonly license?: { readonly id?: string };
      readonly expression?: string;
    }[];
  }[];
}

/** Installs a tarball with npm, like a user, and returns everything that was installed. */
export async function billOf({ manifest }: Package): Promise<Bill> {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-sbom-"));
  try {
    const { [manifest.name]: own, ...others } = tarballs;
    const project = {
      name: "sbom",
      version: "1.0.0",
      private: true,
      dependencies: { ...requiredPeers(manifest), [manifest.name]: own },
      overrides: others,
    };
    writeFileSync(join(folder, "package.json"), JSON.stringify(project));
    await install(folder, ["--omit=peer"]);
    const text = await exec("npm", ["sbom", "--sbom-format=cyclonedx", "--omit=dev"], {
      cwd: folder,
    });
    return JSON.parse(text) as Bill;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A page says to install these too, and npm can be set not to. */
function requiredPeers({ peerDependencies = {}, peerDependenciesMeta = {} }: Manifest) {
  const required = ([name]: readonly [string, string]) => !peerDependenciesMeta[name]?.optional;
  return Object.fromEntries(Object.entries(peerDependencies).filter(required));
}

if (import.meta.main) {
  const [folder = "sbom"] = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  for (const each of packages) {
    const file = join(folder, `${each.id}.cdx.json`);
    writeFileSync(file, JSON.stringify(await billOf(each), undefined, 2));
    console.log(resolve(file));
  }
}
