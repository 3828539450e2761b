import { defineConfig } from "vitest/config";

/** The tests of one package, without retries: a mutant that fails by chance would count as caught. */
export default defineConfig({
  root: `packages/${process.env["MUTATED_PACKAGE"]}`,
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "**/*.{slow,release}.test.ts"],
    testTimeout: 60_000,
  },
});
