import { BaseSequencer, type TestSpecification } from "vitest/node";
import { defineConfig } from "vitest/config";

/** The first failing test ends the run of a mutant. Starts with the file that caught the previous one, then the short ones. */
class CheapestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = (file: TestSpecification) => {
      const last = this.ctx.cache.getTestSpecificationResult(file);
      return last === undefined || last.failed ? 0 : last.duration;
    };
    return files.toSorted((a, b) => cost(a) - cost(b));
  }
}

/** The tests of one package, without retries: a mutant that fails by chance would count as caught. */
export default defineConfig({
  root: `packages/${process.env["MUTATED_PACKAGE"]}`,
  test: {
    include: process.env["JUDGES"]?.split(" ") ?? ["**/*.test.ts"],
    // The last ones read types and comments, which no mutant changes.
    exclude: [
      "**/node_modules/**",
      "**/dist/**",
      "**/*.{slow,release}.test.ts",
      "**/{hover,editor,docs}.test.ts",
    ],
    sequence: { sequencer: CheapestFirst },
    testTimeout: 120_000,
    // Needs half of the time. Some tests of this package count what happens when a module is loaded.
    isolate: process.env["MUTATED_PACKAGE"] === "webhook-types",
  },
});
