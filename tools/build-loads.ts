import { readFileSync } from "node:fs";
import type { Manifest } from "./packages.ts";

/** Files that a build replaces while it reads them, for both bundlers. */
export const loads: readonly {
  readonly filter: RegExp;
  readonly type: "js" | "json";
  readonly read: (path: string) => Promise<string>;
}[] = [
  {
    // A client names its package and version to the service; the rest of package.json stays out of the bundle.
    filter: /[\\/]package\.json$/,
    type: "json",
    async read(path) {
      const { name, version } = JSON.parse(readFileSync(path, "utf8")) as Manifest;
      return JSON.stringify({ name, version });
    },
  },
  {
    // The page of the sandbox is packed as strings: the package has no builder, and a bundle of it finds no files.
    filter: /[\\/]sandbox[\\/]page[\\/]build\.ts$/,
    type: "js",
    async read(path) {
      const { pageFiles } = (await import(path)) as { pageFiles: () => Promise<object> };
      return `export const pageFiles = async () => (${JSON.stringify(await pageFiles())});`;
    },
  },
];
