// @ts-check
import { readdirSync, readFileSync } from "node:fs";

const clients = readdirSync("packages").filter((name) => name.endsWith("-client"));

/** Each package imports from the layers before its own. A package that is not a client needs a place here. */
const LAYERS = [
  ["core"],
  ["http", "webhook-types", "opentelemetry"],
  clients,
  ["sandbox"],
  ["cli"],
];

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
    {
      name: "a package uses what its package.json has as a dependency",
      severity: "error",
      // What the users install themselves: optional peers.
      from: {
        path: "^packages/[^/]+/src/",
        pathNot: `${TEST}|^packages/(sandbox/src/(msw\\.ts$|prove/)|http/src/shared-rate-limit\\.ts$)`,
      },
      // A peer that the tests need too.
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        pathNot: "/node_modules/@opentelemetry/api/",
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
      from: { path: "^packages/core/src/", pathNot: `${TEST}|^packages/core/src/schema/` },
      // What a condition of package.json chooses may be a part of Node.
      to: { pathNot: "^packages/core/src/(?!schema/)|^diagnostics_channel$" },
    },
    {
      name: "a bundle contains zod/mini alone",
      severity: "error",
      from: { path: "^packages/", pathNot: `${TEST}|/test/|^packages/sandbox/(?!src/engine/)` },
      to: { path: "/node_modules/zod/", pathNot: "/node_modules/zod/mini/" },
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
      name: "only ./prove of the sandbox loads fast-check, an optional peer",
      severity: "error",
      from: { path: "^packages/sandbox/src/(?!prove/)", pathNot: TEST },
      to: { path: "/node_modules/fast-check/|^packages/sandbox/src/prove/" },
    },
    {
      name: "only ./msw of the sandbox loads msw, an optional peer",
      severity: "error",
      from: { path: "^packages/sandbox/src/(?!msw\\.ts)", pathNot: TEST },
      to: { path: "/node_modules/msw/|^packages/sandbox/src/msw\\.ts$" },
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
    exclude: { path: "^packages/[^/]+/dist/|\\.vitepress/(cache|dist)" },
    tsPreCompilationDeps: "specify",
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["node", "import", "types", "default"],
      extensions: [".ts", ".js", ".mjs", ".json", ".d.ts"],
    },
  },
};
