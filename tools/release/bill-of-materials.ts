import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec } from "../exec.ts";
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
export async function billOf({ manifest, tarball }: Package): Promise<Bill> {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-sbom-"));
  try {
    const ours = packages.map((each) => [each.manifest.name, `file:${each.tarball}`]);
    const project = {
      name: "sbom",
      version: "1.0.0",
      private: true,
      dependencies: { ...requiredPeers(manifest), [manifest.name]: `file:${tarball}` },
      // The others may not be on a registry yet.
      overrides: Object.fromEntries(ours.filter(([name]) => name !== manifest.name)) as object,
    };
    writeFileSync(join(folder, "package.json"), JSON.stringify(project));
    const flags = [
      "--prefer-offline",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--omit=peer",
    ];
    await exec("npm", ["install", ...flags], { cwd: folder });
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
