import { homedir } from "node:os";
import { type Manifest, root } from "../packages.ts";

const DEPENDENCY = /^(ky|zod|@fieldmesh\/[a-z-]+)$/;
const STRAY = /^(src|test)\/|\.test\b|\.test-d\b|\.map$|tsup\.config|tsconfig/;
const REQUIRED = ["package.json", "README.md", "LICENSE"];

/** Says what an unpacked tarball must not hold or lacks. Keys of `files` are paths inside the package. */
export function contentProblems(files: ReadonlyMap<string, string>): string[] {
  const manifestText = files.get("package.json") ?? "{}";
  const manifest = JSON.parse(manifestText) as Partial<Manifest>;
  const dependencies = Object.keys(manifest.dependencies ?? {});
  return [
    ...REQUIRED.filter((name) => !files.has(name)).map((name) => `${name} is missing`),
    ...dependencies.filter((name) => !DEPENDENCY.test(name)).map((name) => `it depends on ${name}`),
    ...Object.keys(manifest.scripts ?? {})
      .filter((name) => /install|prepare/.test(name))
      .map((name) => `it runs ${name} on the machine of whoever installs it`),
    ...["./src/", "workspace:", "catalog:"]
      .filter((word) => manifestText.includes(word))
      .map((word) => `package.json still says ${word}`),
    ...[...files].flatMap(([path, text]) => fileProblems(path, text)),
  ];
}

function fileProblems(path: string, text: string): string[] {
  const problems: string[] = [];
  if (STRAY.test(path)) problems.push(`${path} is not for users`);
  if ([`${root}/`, `${homedir()}/`].some((place) => text.includes(place))) {
    problems.push(`${path} holds a path of this machine`);
  }
  // ky has types for ESM only: a CommonJS user under "module": "node16" could not compile.
  if (/\.d\.[cm]?ts$/.test(path) && /["']ky(\/[^"']*)?["']/.test(text))
    problems.push(`${path} names a type of ky`);
  return problems;
}
