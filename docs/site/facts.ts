import { readFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "markdown-table";
import { dependenciesFirst, names, type Package, packages, root } from "../../tools/packages.ts";

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
          npm: "not published yet. The release workflow has run against a registry on one machine only",
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
  const sizes = JSON.parse(read("tools/tarballs/sizes.json")) as Record<string, { first: number }>;
  const rows = packages.map((one) => {
    const { name, peerDependencies = {}, peerDependenciesMeta = {} } = one.manifest;
    const size = sizes[name];
    const peers = Object.keys(peerDependencies).map((peer) =>
      peerDependenciesMeta[peer]?.optional === true ? `${peer} (optional)` : peer,
    );
    return [
      `\`${name}\``,
      size === undefined ? "a program" : `${Math.round(size.first / 1000)} KB`,
      thirdParty(one).join(", "),
      peers.join(", ") || "–",
    ];
  });
  return markdownTable([["package", "bundle", "dependencies", "peer dependencies"], ...rows]);
}

/** Returns what an install of a package brings that is not ours, without what that depends on. */
export function thirdParty(one: Package): string[] {
  const all = dependenciesFirst([one]).flatMap(({ manifest }) =>
    Object.keys(manifest.dependencies ?? {}),
  );
  return [...new Set(all)].filter((name) => !name.startsWith(`${names.scope}/`)).sort();
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
