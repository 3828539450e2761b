// A Stryker plugin that tries only a share of the mutants, for packages whose mutants would need hours.
import { createHash } from "node:crypto";
import type { Report } from "./score.ts";

/** Whether a mutant is in the sample. Its id is its number in the source, so a commit, a share and a seed identify a sample. */
function isPicked(id: string, share: number, seed: string): boolean {
  const digest = createHash("sha256").update(`${seed} ${id}`).digest();
  return digest.readUInt32BE() / 2 ** 32 < share;
}

/** Returns a report with the mutants of the sample. Stryker does not call a checker for mutants that no test covers. */
export function onlyPicked({ files }: Report, share: number, seed: string): Report {
  const picked = Object.entries(files).map(([name, { source, mutants }]) => [
    name,
    { source, mutants: mutants.filter(({ id }) => isPicked(id, share, seed)) },
  ]);
  return { files: Object.fromEntries(picked) as Report["files"] };
}

class Sample {
  static inject = [] as const;

  init(): void {
    // Nothing to prepare.
  }

  group(mutants: readonly { readonly id: string }[]): Promise<string[][]> {
    return Promise.resolve([mutants.map(({ id }) => id)]);
  }

  check(
    mutants: readonly { readonly id: string }[],
  ): Promise<Record<string, { status: string; reason?: string }>> {
    const { SHARE = "1", SEED = "1" } = process.env;
    const results = mutants.map(({ id }) => {
      const isIn = isPicked(id, Number(SHARE), SEED);
      return [
        id,
        { status: isIn ? "passed" : "compileError", reason: "not in the sample" },
      ] as const;
    });
    return Promise.resolve(Object.fromEntries(results));
  }
}

export const strykerPlugins = [{ kind: "Checker", name: "sample", injectableClass: Sample }];
