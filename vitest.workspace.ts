import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { packages } from "./tools/packages.ts";

export const folders = [
  ...packages.map(({ id }) => `packages/${id}`),
  "examples",
  "docs",
  "bench",
  "gauntlet",
  "conformance",
  "tools",
];

/** The modes with test files of their own, such as `*.slow.test.ts`. */
const TIERS: ReadonlySet<string> = new Set([
  // Long walks, large bulk, kills, many seeds: `npm run test:slow`.
  "slow",
  // Programs of other people that take minutes to install: `npm run test:release`.
  "release",
  // Those of `npm test` and of `npm run test:slow`: `npm run coverage`.
  "coverage",
]);

/**
 * The tests of a package share one module graph, which halves their time. These do not, because they replace a module or a global,
 * because they test what a process remembers, or because a program that watches Node's modules must be there before their first use. The other tiers run all tests isolated: their files are long, and run side by side.
 */
const ALONE: Readonly<Record<string, readonly string[]>> = {
  "packages/cli": [
    "test/fleet/convert-fleet.test.ts",
    "test/fleet/export-devices.test.ts",
    "test/fleet/guide.test.ts",
    "test/fleet/move-fleet.test.ts",
    "test/named-sandbox.test.ts",
  ],
  "packages/opentelemetry": ["test/canaries.test.ts", "test/no-listener.test.ts"],
  "packages/webhook-types": [
    "test/lazy.test.ts",
    "test/telemetry.test.ts",
    "test/validation.test.ts",
  ],
};

/** Their tests read the machine-readable documents. */
const READ_DOCUMENTS: ReadonlySet<string> = new Set([
  "docs",
  ...packages.filter(({ id }) => id.endsWith("-client")).map(({ id }) => `packages/${id}`),
]);

export default defineConfig(({ mode }) => {
  const slow = TIERS.has(mode);
  return {
    test: {
      // There may be no slow tests; no tests at all would be a mistake.
      passWithNoTests: slow,
      // What tests print says something when they fail; the slow ones print figures.
      silent: slow ? false : "passed-only",
      // Some tests talk to real servers and can starve on a busy machine. The reporter names those that needed a retry.
      retry: 1,
      // Many tests wait for a server or a program: with two cores, three workers need a quarter less time than two. Some measure time,
      // and more workers disturb them. The slow ones wait for longer.
      maxWorkers: slow ? 4 : 3,
      // npm run coverage: of what is published, and not of what generators write.
      coverage: {
        provider: "v8",
        // Relative to each project.
        include: ["src/**/*.ts"],
        exclude: ["**/*.test.ts", "**/*.test-d.ts", "**/generated/**", "**/testing/**"],
        reporter: ["text-summary", "json-summary", "html"],
        // The run takes a quarter of an hour: one failed test does not lose its result.
        reportOnFailure: true,
        reportsDirectory: "node_modules/.cache/coverage",
        thresholds: { lines: 98, branches: 95 },
      },
      projects: folders
        .filter((folder) => existsSync(folder))
        .flatMap((folder) => projectsOf(folder, mode)),
    },
  };
});

/** A folder is one project, or two if some of its tests run alone. */
export function projectsOf(folder: string, mode: string) {
  const slow = TIERS.has(mode);
  const alone = (!slow && ALONE[folder]) || [];
  const common = {
    // After each test of a package, what it printed, made and wrote is searched for secrets.
    setupFiles: folder.startsWith("packages/")
      ? [fileURLToPath(new URL("tools/canaries/setup.ts", import.meta.url))]
      : [],
    globalSetup: READ_DOCUMENTS.has(folder)
      ? [fileURLToPath(new URL("tools/documents.ts", import.meta.url))]
      : [],
    // Some tests start compilers and programs; a busy machine is no reason to fail.
    testTimeout: slow ? 10 * 60_000 : 60_000,
    // Hooks build the site, and remove folders with thousands of installed files.
    hookTimeout: slow ? 10 * 60_000 : 60_000,
    // Type tests, `*.test-d.ts`, are compiled with everything else by `check:types`, which fails for a wrong one.
    typecheck: { enabled: false },
  };
  const name = folder.replace("packages/", "");
  const tests = {
    ...common,
    name,
    isolate: slow || !folder.startsWith("packages/"),
    // A long test runs in both tiers, and does more in that of releases.
    include:
      slow && mode !== "coverage"
        ? [`**/*.${mode}.test.ts`, "**/*.long.test.ts"]
        : ["**/*.test.ts"],
    env: mode === "release" ? { LONG_TESTS: "yes" } : {},
    exclude: [
      ...configDefaults.exclude,
      ...alone,
      "**/dist/**",
      ...(slow ? [] : ["**/*.{slow,long}.test.ts"]),
      ...(mode === "release" ? [] : ["**/*.release.test.ts"]),
    ],
  };
  const isolated = { ...common, name: `${name} alone`, isolate: true, include: [...alone] };
  return [
    { root: folder, test: tests },
    ...(alone.length > 0 ? [{ root: folder, test: isolated }] : []),
  ];
}
