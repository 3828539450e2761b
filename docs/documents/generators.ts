import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The package with the generators that are tested, outside the workspace.
 *
 * It overrides the version of a parser that orval uses, because the latest one requires a package that registries lack.
 */
export const generatorsFolder = join(import.meta.dirname, "..", "..", "conformance", "generators");

type Manifest = Readonly<Record<"scripts" | "dependencies", Readonly<Record<string, string>>>>;
const manifest = readFileSync(join(generatorsFolder, "package.json"), "utf8");
const { scripts, dependencies } = JSON.parse(manifest) as Manifest;

/** Each is a script that generates a client of $DOCUMENT into a folder $NAME, and a program that calls the clients. */
export const generators: readonly string[] = Object.keys(scripts);

/** The versions of the packages that are tested. */
export const testedVersions = dependencies;
