import { configDefaults, defineConfig } from "vitest/config";

/** The fast tests of the package whose folder is changed. */
export default defineConfig({
  root: (process.env["MUTATED"] ?? "").split("/").slice(0, 2).join("/"),
  test: {
    exclude: [...configDefaults.exclude, "**/*.{slow,release}.test.ts"],
    // Counting what each test reaches makes it slow.
    testTimeout: 60_000,
  },
});
