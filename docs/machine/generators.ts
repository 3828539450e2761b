import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The package with the generators that are tested, outside the workspace.
 *
 * It overrides the version of a parser that orval uses, because the latest one requires a package that registries lack.
 */
export const generatorsFolder = join(import.meta.dirname, "..", "..", "compat", "generators");

/** A generator of clients, and its command for one document. */
export interface Generator {
  /** Also the name of its program, and of the folder with its clients. */
  readonly name: string;
  readonly package: string;
  readonly command: (document: string, folder: string) => readonly [string, ...string[]];
}

export const generators: readonly Generator[] = [
  {
    name: "hey-api",
    package: "@hey-api/openapi-ts",
    command: (document, folder) => ["openapi-ts", "-i", document, "-o", folder, "-s"],
  },
  {
    name: "orval",
    package: "orval",
    command: () => ["orval", "--config", "orval.config.js"],
  },
  {
    name: "kubb",
    package: "@kubb/cli",
    command: () => ["kubb", "generate", "--config", "kubb.config.js", "--silent"],
  },
  {
    name: "swagger-typescript-api",
    package: "swagger-typescript-api",
    command: (document, folder) => [
      "swagger-typescript-api",
      "generate",
      "--path",
      document,
      "--output",
      folder,
      "--name",
      "api.ts",
      "--silent",
    ],
  },
  {
    name: "openapi-typescript-codegen",
    package: "openapi-typescript-codegen",
    command: (document, folder) => ["openapi", "--input", document, "--output", folder],
  },
  {
    name: "openapi-typescript",
    package: "openapi-typescript",
    command: (document, folder) => ["openapi-typescript", document, "-o", `${folder}.d.ts`],
  },
];

/** The versions of the packages that are tested. */
export function testedVersions(): Readonly<Record<string, string>> {
  const manifest = readFileSync(join(generatorsFolder, "package.json"), "utf8");
  return (JSON.parse(manifest) as { dependencies: Record<string, string> }).dependencies;
}
