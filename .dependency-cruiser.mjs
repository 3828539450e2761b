// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path/posix";

const clients = readdirSync("packages").filter((name) => name.endsWith("-client"));

/** Each package imports from the layers before its own. A package that is not a client needs a place here. */
const LAYERS = [
  ["core"],
  ["http", "webhook-types", "opentelemetry"],
  [...clients, "mirror", "rate-limit"],
  ["sandbox"],
  ["prove"],
  ["cli"],
];

/**
 * The floors of folders, the lowest first. A name is a folder or a file of it, and the names of one floor do not import each other.
 * The entries of the package are above all floors.
 *
 * @type {Readonly<Record<string, string[][]>>}
 */
const FLOORS = {
  "packages/http/src": [
    ["errors"],
    // One request, without any policy.
    ["wire"],
    ["limit"],
    ["options"],
    ["table"],
    ["request"],
    ["response"],
    ["send"],
    ["pager"],
    ["client"],
  ],
  "packages/webhook-types/src": [
    ["verify", "events"],
    ["parse", "adapters", "explain", "subscription"],
    ["router"],
    ["stores"],
    ["receiver", "samples.ts", "store-kit"],
    ["queue"],
  ],
  "packages/sandbox/src/engine": [
    ["random.ts", "checks.ts"],
    // The clocks, and the journal of what has changed.
    ["time"],
    // One request on its way through the layers of a service.
    ["serve"],
    ["faults", "log", "saved"],
    ["webhooks"],
    ["console", "ledger", "mapper", "mobile"],
    // All services together: their options, their snapshot, their feed.
    ["services"],
    ["controls"],
    ["sandbox"],
    ["prove"],
  ],
  "packages/console-client/src/bulk": [
    // What all methods for many devices share: the engine, its checkpoints, leases and errors.
    ["run"],
    // Whether the console has carried out what a broken request asked for.
    ["look"],
    ["create", "change"],
    // What the first run loads.
    ["runs.ts"],
    // The methods.
    ["create-many.ts", "change-many.ts"],
  ],
  "packages/cli/src": [
    ["exit-codes.ts", "nearest.ts", "shell-words.ts", "generated"],
    ["output"],
    ["context.ts"],
    ["command.ts", "locked.ts", "confirm.ts", "files"],
    ["clients"],
    ["fleet", "ledger", "mirror", "rows", "settings", "webhooks"],
    // The program, which loads a command when it runs.
    ["commands"],
  ],
};

/** Tests may import what proves the point. */
const TEST = String.raw`\.test(-d)?\.ts$|/(testing|fixtures)/`;
const CLIENT = "^packages/([a-z]+-client)/src/";
const TOP = `${CLIENT}(client|endpoints|index)\\.ts$`;

/** Files with rows: they call `endpoint()`. */
const ROWS = readdirSync("packages", { recursive: true, encoding: "utf8" })
  .filter((path) => /^[a-z]+-client\/src\/[a-z/-]+\.ts$/.test(path))
  .map((path) => `packages/${path}`)
  .filter((path) => readFileSync(path, "utf8").includes(": endpoint("));

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "every package is listed in .dependency-cruiser.mjs",
      severity: "error",
      from: { path: "^packages/", pathNot: `^packages/(${LAYERS.flat().join("|")})/` },
      to: {},
    },
    ...LAYERS.map((layer, index) => ({
      name: `${layer.join(", ")}: only imports packages of the layers before`,
      severity: "error",
      from: { path: `^packages/(${layer.join("|")})/src/`, pathNot: TEST },
      to: {
        path: "^(packages|docs|examples|bench|gauntlet|tools)/",
        pathNot: `^packages/(${["$1", ...LAYERS.slice(0, index).flat()].join("|")})/`,
      },
    })),
    ...Object.entries(FLOORS).flatMap(([folder, floors]) => [
      ...floors.map((floor, index) => ({
        name: `${floor.join(", ")} of ${folder}: only imports the floors below`,
        severity: "error",
        from: { path: `^${folder}/(${namesOf(floor)})`, pathNot: TEST },
        to: {
          path: `^${folder}/`,
          pathNot: `^${folder}/(${["$1", ...floors.slice(0, index).map(namesOf)].join("|")})`,
        },
      })),
      {
        name: `each file of ${folder} has a floor in .dependency-cruiser.mjs, or is an entry`,
        severity: "error",
        from: {},
        to: {
          path: `^${folder}/`,
          pathNot: [TEST, `^${folder}/(${namesOf([...floors.flat(), ...entriesOf(folder)])})`],
        },
      },
    ]),
    {
      name: "a package uses what its package.json has as a dependency",
      severity: "error",
      // What the users install themselves: optional peers.
      from: {
        path: "^packages/[^/]+/src/",
        pathNot: `${TEST}|^packages/(sandbox/src/msw\\.ts$|prove/src/|cli/src/fleet/targets/chirpstack-|http/src/wire/dispatch-fetch)`,
      },
      // A peer that the tests need too, and what the bundle of the command line contains.
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        pathNot: "/node_modules/(@opentelemetry/api|commander)/",
      },
    },
    {
      name: "other packages are imported by name",
      severity: "error",
      from: { path: "^(packages/[^/]+|docs|examples|bench|gauntlet)/", pathNot: TEST + "|/test/" },
      to: {
        path: "^(packages|docs|examples|bench|gauntlet)/",
        pathNot: "^$1/",
        dependencyTypes: ["local"],
      },
    },
    {
      name: "the root of core has no dependency",
      severity: "error",
      from: {
        path: "^packages/core/src/",
        pathNot: `${TEST}|^packages/core/src/(schema/|zod\\.ts$)`,
      },
      // What a condition of package.json chooses may be a part of Node.
      to: { pathNot: "^packages/core/src/(?!schema/|zod\\.ts$)|^diagnostics_channel$" },
    },
    {
      name: "stores import the port to databases, and no driver of it",
      severity: "error",
      from: { path: "^packages/", pathNot: `${TEST}|^packages/core/src/database/` },
      to: { path: "^packages/core/src/database/(?!index\\.ts$)" },
    },
    {
      name: "only programs import a client of a database",
      severity: "error",
      from: { path: "^packages/", pathNot: `${TEST}|/test/|^packages/cli/` },
      to: { path: "/node_modules/(pg|postgres|ioredis|redis|better-sqlite3)/" },
    },
    {
      name: "only core imports zod, and the others use @fieldmesh/core/internal/zod",
      severity: "error",
      // The sandbox makes JSON Schemas, with code that no client needs.
      from: {
        path: "^packages/",
        pathNot: `${TEST}|/test/|^packages/core/src/(zod|schema/zod-compile)\\.ts$|^packages/[^/]+/tools/|^packages/sandbox/(?!src/engine/)|^packages/sandbox/src/engine/controls/event-types\\.ts$`,
      },
      to: { path: "/node_modules/zod/" },
    },
    {
      name: "a bundle contains zod/mini alone",
      severity: "error",
      from: { path: "^packages/", pathNot: `${TEST}|/test/|^packages/sandbox/(?!src/engine/)` },
      to: { path: "/node_modules/zod/", pathNot: "/node_modules/zod/(mini|v4/core)/" },
    },
    {
      name: "the engine of the sandbox has no import of Node",
      severity: "error",
      from: { path: "^packages/sandbox/src/engine/", pathNot: TEST },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "a resource file stays below client.ts, endpoints.ts and index.ts",
      severity: "error",
      from: { path: CLIENT, pathNot: [TEST, TOP] },
      to: { path: TOP },
    },
    {
      name: "index.ts is the top of a client",
      severity: "error",
      from: { path: `${CLIENT}(client|endpoints)\\.ts$` },
      to: { path: `${CLIENT}index\\.ts$` },
    },
    {
      name: "a resource file imports no rows of another",
      severity: "error",
      from: { path: CLIENT, pathNot: [TEST, TOP] },
      to: { path: `^(${ROWS.join("|")})$`, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "only prove loads fast-check, its peer",
      severity: "error",
      from: { path: "^packages/(?!prove/)", pathNot: `${TEST}|/test/` },
      to: { path: "/node_modules/fast-check/" },
    },
    {
      name: "only ./msw of the sandbox loads msw, an optional peer",
      severity: "error",
      from: { path: "^packages/sandbox/src/(?!msw\\.ts)", pathNot: TEST },
      to: { path: "/node_modules/msw/|^packages/sandbox/src/msw\\.ts$" },
    },
    {
      name: "no circles of files",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no circles of folders",
      scope: "folder",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "every import resolves",
      severity: "error",
      from: { pathNot: "^packages/[^/]+/test/" },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: {
      // What proves a point may import it from anywhere.
      path: `^packages/[^/]+/dist/|^conformance/(projects|generators)/|\\.vitepress/(cache|dist)|/test/|${TEST}`,
    },
    tsPreCompilationDeps: "specify",
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["node", "import", "types", "default"],
      extensions: [".ts", ".js", ".mjs", ".json", ".d.ts"],
    },
  },
};

/**
 * Returns a pattern of folders and files.
 *
 * @param {readonly string[]} names
 */
function namesOf(names) {
  return names.map((name) => (name.endsWith(".ts") ? `${name}$` : `${name}/`)).join("|");
}

/**
 * Returns the files of a folder that its package exports.
 *
 * @param {string} folder
 */
function entriesOf(folder) {
  const root = folder.split("/").slice(0, 2).join("/");
  const { exports } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
  return Object.values(exports)
    .map((file) => relative(folder, join(root, file)))
    .filter((file) => !file.includes("/"));
}
