import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Validation } from "@fieldmesh/core";

const program = fileURLToPath(new URL("small-heap-program.ts", import.meta.url));

interface Line {
  readonly name: string;
  readonly validation: Validation;
  readonly end: string;
  readonly named: number;
  readonly last?: { readonly message: string };
  readonly drift: readonly {
    readonly named: number;
    readonly last: { readonly message: string };
  }[];
}

test("a body of 100 KB with many mistakes is read with a heap of 96 MB, and 20 problems are named", async () => {
  await readInSmallHeap(100_000, 96, ["strict", "warn", "off"]);
});

/** Reads bodies with many mistakes in a process with a small heap, and checks that each error names at most 20 problems. */
async function readInSmallHeap(
  bytes: number,
  megabytes: number,
  modes: readonly Validation[],
): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    `--max-old-space-size=${megabytes}`,
    program,
    String(bytes),
    ...modes,
  ]);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  expect(lines.length).toBe(14 * modes.length);
  const reports = lines.flatMap(({ named, last, drift }) => [{ named, last }, ...drift]);
  expect(reports.filter(({ named }) => named > 20)).toEqual([]);
  // An error with more problems says so.
  const full = reports.filter(({ named }) => named === 20);
  expect(full.length).toBeGreaterThan(8);
  expect(new Set(full.map(({ last }) => last?.message))).toEqual(
    new Set(["has more problems, which are not listed"]),
  );
  expect(lines.filter(({ validation, drift }) => validation === "off" && drift.length > 0)).toEqual(
    [],
  );
}
