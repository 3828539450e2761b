import { expect, test } from "vitest";
import { names, packages } from "../packages.ts";
import { billOf } from "./sbom.ts";

/** Licenses that ask of a user nothing but to keep the notice. */
const PERMISSIVE = new Set(["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD"]);
/** All that an install may bring, beside our own packages and what is said below. */
const ALLOWED = ["ky", "zod"];
const MORE: Readonly<Record<string, readonly string[]>> = {
  // Those of the sandbox, and what makes the random plans.
  prove: ["@noble/hashes", "@scure/base", "pure-rand"],
  sandbox: ["@noble/hashes", "@scure/base"],
  opentelemetry: [],
  "rate-limit": ["rate-limiter-flexible"],
  // Command lines, age, CSV, Parquet, folders of settings and safe writes, with what each of them needs.
  cli: [
    "@noble/ciphers",
    "@noble/curves",
    "@noble/hashes",
    "@noble/post-quantum",
    "@scure/base",
    "@streamparser/json",
    "age-encryption",
    "ansi-regex",
    "commander",
    "csv-parse",
    "csv-stringify",
    "env-paths",
    "get-east-asian-width",
    "hyparquet",
    "hyparquet-writer",
    "is-safe-filename",
    "signal-exit",
    "string-width",
    "strip-ansi",
  ],
};

test.each(packages)(
  "an install of $id brings what its page says, under permissive licenses",
  async (each) => {
    const { bomFormat, components } = await billOf(each);
    expect(bomFormat).toBe("CycloneDX");
    const others = components.filter(({ name }) => !name.startsWith(`${names.scope}/`));
    const peers = Object.keys(each.manifest.peerDependencies ?? {});
    const allowed = new Set([...ALLOWED, ...(MORE[each.id] ?? []), ...peers]);
    expect(others.map(({ name }) => name).filter((name) => !allowed.has(name))).toEqual([]);
    const licences = others.map(({ name, licenses = [] }) => [
      name,
      licenses[0]?.license?.id ?? licenses[0]?.expression,
    ]);
    expect(licences.filter(([, licence = ""]) => !isPermissive(licence))).toEqual([]);
  },
);

/** Where several licenses apply, such as `(BSD-3-Clause AND Apache-2.0)`, each of them counts. */
function isPermissive(expression: string): boolean {
  return expression
    .replace(/^\((.*)\)$/, "$1")
    .split(" AND ")
    .every((licence) => PERMISSIVE.has(licence));
}
