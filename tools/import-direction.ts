import { posix } from "node:path";
import { idOf } from "./packages.ts";
import { readSource } from "./imports.ts";

/**
 * Which package may import what: packages of ours by folder, others by name.
 * Node's own modules are open to all but the root of core.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: ["zod", "zod/mini"],
  http: ["core", "ky", "zod"],
  "console-client": ["core", "http", "zod"],
  "ledger-client": ["core", "http", "zod"],
  "mapper-client": ["core", "http", "zod"],
  "webhook-types": ["core", "zod/mini"],
  "mobile-client": ["core", "http", "webhook-types", "zod"],
  sandbox: [
    "core",
    "http",
    "console-client",
    "ledger-client",
    "mapper-client",
    "mobile-client",
    "webhook-types",
    "msw",
    "zod",
  ],
};

/** What files of a package may not import although the package may. Both sides as `package/src/file.ts` or a name. */
const NEVER: readonly { from: RegExp; to: RegExp; because: string }[] = [
  {
    from: /^core\/src\/(?!schema\/)/,
    to: /^(zod|node:|core\/src\/schema\/)/,
    because: "the root of core has no dependency at all",
  },
  {
    from: /^[a-z]+-client\/src\/(?!(client|index|endpoints)\.ts)/,
    to: /\/src\/(client|index|endpoints)\.ts$/,
    because: "a resource file stands below client.ts, index.ts and endpoints.ts",
  },
  {
    from: /^[a-z]+-client\/src\/(client|endpoints)\.ts/,
    to: /\/src\/index\.ts$/,
    because: "index.ts is the top of its package",
  },
  {
    from: /^webhook-types\/src\/(?!(parse|samples|receiver)\/)/,
    to: /^(zod|@fieldmesh\/core\/schema|webhook-types\/src\/(parse|samples|receiver)\/)/,
    because: "only the entries ./parse, ./samples and ./receiver may load zod",
  },
  {
    from: /^sandbox\/src\/(?!msw\.ts)/,
    to: /^(msw|sandbox\/src\/msw\.ts)/,
    because: "msw is an optional peer, and only the entry ./msw may need it",
  },
];

/** Tests stand outside the order: they may use whatever proves the point. */
const TEST = /\.test(-d)?\.ts$|\/(test|testing|fixtures)\//;
const RESOURCE = /^([a-z]+-client)\/src\/(?!(client|index|endpoints)\.ts)/;

/** Says for each import that goes against the order what is wrong with it. Keys are paths from the workspace's root. */
export function importViolations(files: ReadonlyMap<string, string>): string[] {
  const sources = new Map([...files].map(([path, text]) => [path, readSource(text)]));
  return [...sources].flatMap(([path, { imports }]) =>
    imports.flatMap(({ from, names, isNamespace }) => {
      const target = from.startsWith(".") ? resolve(path, from) : from;
      const tables = names.filter((name) => sources.get(target)?.tables.includes(name));
      const reason =
        (from === "zod" || from.startsWith("zod/") ? zodReason(from, isNamespace) : undefined) ??
        (TEST.test(path) ? undefined : orderReason(path, from, target, tables));
      return reason === undefined ? [] : [`${path} imports ${from}: ${reason}`];
    }),
  );
}

function zodReason(from: string, isNamespace: boolean): string | undefined {
  if (/^zod(\/mini)?$/.test(from) && isNamespace) return undefined;
  return 'only `import * as z from "zod"`, or "zod/mini", can be tree-shaken';
}

function orderReason(
  path: string,
  from: string,
  target: string,
  tables: string[],
): string | undefined {
  const area = areaOf(path);
  // The site is made of the list of packages that the tools have, and shows what programs print.
  if (area === "docs" && /^tools\/(packages|exec)\.ts$/.test(target)) return undefined;
  if (from.startsWith(".") && areaOf(target) !== area) return `it reaches out of ${area}`;
  if (!area.startsWith("packages/")) return undefined;

  const own = area.replace("packages/", "");
  const allowed = MAY_IMPORT[own];
  if (!allowed) return `${own} is not in the table of tools/import-direction.ts yet`;
  if (idOf(from) === own) return "a package names its own files by their path";
  const needs = idOf(from) ?? from;
  if (!/^(\.|#|node:)/.test(from) && !allowed.includes(needs)) {
    return `${own} may import ${allowed.join(", ")}`;
  }
  const inside = path.replace("packages/", "");
  const to = target.replace("packages/", "");
  if (RESOURCE.test(inside) && tables.length > 0)
    return `${tables.join(", ")} holds the rows of another resource`;
  return NEVER.find((rule) => rule.from.test(inside) && rule.to.test(to))?.because;
}

/** The part of the workspace that a file belongs to: `packages/http`, `examples`. */
function areaOf(path: string): string {
  return path
    .split("/")
    .slice(0, path.startsWith("packages/") ? 2 : 1)
    .join("/");
}

/** Sources write the extension of what they become. */
function resolve(path: string, from: string): string {
  return posix.join(posix.dirname(path), from).replace(/\.js$/, ".ts");
}
