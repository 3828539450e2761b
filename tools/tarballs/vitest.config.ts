import { configDefaults, defineConfig } from "vitest/config";

/** Tests of the packed packages, in a run of their own, so that turbo can skip them while no tarball changes. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    exclude: [...configDefaults.exclude, "**/*.{slow,release}.test.ts"],
    testTimeout: 5 * 60_000,
    hookTimeout: 5 * 60_000,
  },
});
