import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "markdown-table";
import { dependenciesFirst, names, type Package, packages, root } from "../../tools/packages.ts";
import type { Size } from "../../tools/tarballs/sizes.ts";

const PAGE = "docs/project/evaluate.md";
/** The version of a package that was never released. */
const UNRELEASED = "0.0.0";

/** Returns the page for evaluators with the facts that the packages, their tests and their measurements state. */
export function withFacts(version = packages[0]!.manifest.version): Map<string, string> {
  const tables = { facts: facts(version), packages: sizesAndDependencies() };
  const page = Object.entries(tables).reduce((text, [name, rows]) => {
    const place = new RegExp(`(<!-- ${name}: .*? -->\n)[^]*?(\n<!-- end of ${name} -->)`);
    if (!place.test(text)) throw new Error(`${PAGE} has no place for ${name}.`);
    return text.replace(place, (_, start: string, end: string) => `${start}\n${rows}\n${end}`);
  }, read(PAGE));
  return new Map([[PAGE, page]]);
}

function facts(version: string): string {
  const { name, license, engines } = packages[0]!.manifest;
  const state =
    version === UNRELEASED
      ? {
          version: "none yet. The first will be a release candidate, `1.0.0-rc.0`",
          npm: "not published yet. Until then, install from a checkout only: what npm has under these names is not ours. The release workflow has run against a registry on one machine only",
          "security advisories": "none: nobody could install a release yet",
        }
      : {
          version: `\`${version}\`, of all packages`,
          npm: `[published](https://www.npmjs.com/package/${name})`,
          "security advisories": `[on GitHub](https://github.com/${names.repository}/security/advisories)`,
        };
  return markdownTable([
    ["what", "state"],
    ...Object.entries(state),
    ["license", `${license}, for all packages`],
    ["code of others in our files", packages.flatMap(copiedCode).join("; ")],
    ["licenses of dependencies", [...new Set(packages.flatMap(licensesOf))].sort().join(", ")],
    [
      "runtimes",
      `Node ${engines.node.replace(">=", "")} and later, Bun, Deno, workers. Every check holds on ${runtimes()}`,
    ],
  ]);
}

/** The runtimes on which every check of the conformance suite holds. */
function runtimes(): string {
  const rows = read("docs/project/supported-versions.md").matchAll(
    /^\| (\w+) ([\d.]+|\(.*?\)) \| (\d+) of \3 \|/gm,
  );
  return [...rows].map(([, name, version]) => `${name} ${version}`).join(", ");
}

function sizesAndDependencies(): string {
  const rows = packages.map((one) => {
    const { name, peerDependencies = {}, peerDependenciesMeta = {} } = one.manifest;
    const size = bundleSize(name);
    const peers = Object.keys(peerDependencies).map((peer) =>
      peerDependenciesMeta[peer]?.optional === true ? `${peer} (optional)` : peer,
    );
    return [
      `\`${name}\``,
      size?.first ?? "a program",
      size?.all ?? "–",
      thirdParty(one).join(", "),
      peers.join(", ") || "–",
    ];
  });
  const head = ["package", "before the first call", "in all", "dependencies", "peer dependencies"];
  return markdownTable([head, ...rows]);
}

/** Returns how large the whole entry is in a bundle: before the first call, and with what loads later. */
export function bundleSize(name: string): { first: string; all: string } | undefined {
  const size = (JSON.parse(read("tools/tarballs/sizes.json")) as Record<string, Size>)[name];
  const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} KB`;
  return size && { first: kilobytes(size.first), all: kilobytes(size.all) };
}

/** Returns the packages of others whose code is inside a package. Its build requires their licenses. */
function copiedCode({ folder, manifest }: Package): string[] {
  const copied = readdirSync(folder).flatMap((file) => /^LICENSE-(.+)$/.exec(file)?.[1] ?? []);
  return copied.length === 0 ? [] : [`${copied.join(", ")} in \`${manifest.name}\``];
}

/** Returns the licenses of what a package names as dependencies and peers. */
function licensesOf({ id, manifest: { dependencies, peerDependencies } }: Package): string[] {
  const all = Object.keys({ ...dependencies, ...peerDependencies }).filter(isForeign);
  const paths = all.map((one) => `packages/${id}/node_modules/${one}/package.json`);
  return paths.map((path) => (JSON.parse(read(path)) as { license: string }).license);
}

/** Returns what an install of a package brings that is not ours, without what that depends on. */
export function thirdParty(one: Package): string[] {
  const all = dependenciesFirst([one]).flatMap(({ manifest }) =>
    Object.keys(manifest.dependencies ?? {}),
  );
  return [...new Set(all)].filter(isForeign).sort();
}

const isForeign = (name: string): boolean => !name.startsWith(`${names.scope}/`);

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
