import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What the tools read of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly engines: { readonly node: string };
  readonly private?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  /** The source of each entry. */
  readonly exports: Readonly<Record<string, string>>;
  /** Names that begin with "#", which only the package itself can import: a source for each condition. */
  readonly imports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What pnpm puts in place of the fields above when it packs. */
  readonly publishConfig: { readonly exports: Readonly<Record<string, Entry>> };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** One entry of an exports map, in the shape that attw calls right everywhere. */
interface Entry {
  readonly import: { readonly types: string; readonly default: string };
  readonly require: { readonly types: string; readonly default: string };
}

export interface Package {
  /** Its folder under packages/, which is also its name without the scope. */
  readonly id: string;
  readonly folder: string;
  readonly manifest: Manifest;
  /** Packages of this workspace that it needs, however far down. */
  readonly needs: readonly string[];
}

export const root = join(import.meta.dirname, "..");
const SCOPE = "@fieldmesh/";

/** Every package of the workspace that is published; a new folder under packages/ is found by itself. */
export const packages: readonly Package[] = readdirSync(join(root, "packages"))
  .filter((id) => existsSync(join(root, "packages", id, "package.json")))
  .map((id) => ({
    id,
    folder: join(root, "packages", id),
    manifest: readManifest(id),
    needs: needsOf(id),
  }))
  .filter(({ manifest }) => manifest.private !== true);

/** `@fieldmesh/core` is the package `core`; anything else is none of ours. */
export function idOf(name: string): string | undefined {
  return name.startsWith(SCOPE) ? name.slice(SCOPE.length).split("/")[0] : undefined;
}

function readManifest(id: string): Manifest {
  return JSON.parse(readFileSync(join(root, "packages", id, "package.json"), "utf8")) as Manifest;
}

function needsOf(id: string): string[] {
  const direct = Object.keys(readManifest(id).dependencies ?? {}).flatMap(
    (name) => idOf(name) ?? [],
  );
  return [...new Set(direct.flatMap((need) => [need, ...needsOf(need)]))];
}
