import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The fields of a package.json that the tools read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly homepage?: string;
  readonly bugs?: string;
  readonly repository: string;
  readonly engines: { readonly node: string };
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly main: string;
  /** The source of each entry, and package.json: see {@link entriesOf}. */
  readonly exports: Readonly<Record<string, string>>;
  /** Names that begin with "#", which only the package itself can import: a source for each condition. */
  readonly imports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export interface Package {
  /** The folder under packages/, and the name without the scope. */
  readonly id: string;
  readonly folder: string;
  readonly manifest: Manifest;
  /** The file that `pnpm pack` writes for it. See the script "tarballs" of the root. */
  readonly tarball: string;
}

export const root = join(import.meta.dirname, "..");

/** The names that the owner can change. `npm run release -- rename` replaces them everywhere. */
export const { names } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly names: {
    /** The scope of the packages on npm, such as `@fieldmesh`. */
    readonly scope: string;
    /** The repository on GitHub, such as `fieldmesh/fieldmesh`. */
    readonly repository: string;
    /** The address of the docs site, with a trailing slash. */
    readonly site: string;
  };
};

/** Every published package of the workspace. A new folder under packages/ needs no entry here. */
export const packages: readonly Package[] = readdirSync(join(root, "packages"))
  .filter((id) => existsSync(join(root, "packages", id, "package.json")))
  .map((id) => ({
    id,
    folder: join(root, "packages", id),
    manifest: readManifest(id),
    tarball: join(root, "node_modules", ".cache", "tarballs", `fieldmesh-${id}.tgz`),
  }))
  .filter(({ manifest }) => manifest.private !== true);

/** Returns packages after those of this workspace that they depend on. */
export function dependenciesFirst(chosen: readonly Package[]): Package[] {
  const needed = ({ manifest: { dependencies = {} } }: Package) =>
    packages.filter(({ manifest: { name } }) => dependencies[name] !== undefined);
  return [...new Set(chosen.flatMap((one) => [...dependenciesFirst(needed(one)), one]))];
}

/** Returns the entries as pairs of path and source: what is exported but package.json, which tools of users read. */
export function entriesOf({
  exports,
}: Pick<Manifest, "exports">): [path: string, source: string][] {
  return Object.entries(exports).filter(([, source]) => source.endsWith(".ts"));
}

/** Returns the entries that semver covers: all but `./internal`, which is for our own packages. */
export function publicEntries(manifest: Manifest): [path: string, source: string][] {
  return entriesOf(manifest).filter(([path]) => !/^\.\/internal(\/|$)/.test(path));
}

function readManifest(id: string): Manifest {
  return JSON.parse(readFileSync(join(root, "packages", id, "package.json"), "utf8")) as Manifest;
}
