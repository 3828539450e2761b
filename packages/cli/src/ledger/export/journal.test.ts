import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";
import { filesOf, readItems, type ExportState } from "./journal.ts";

test.each([
  [25_000, 10, [10_000, 10_000, 5_000]],
  [20, 2 ** 21, [8, 8, 4]],
])(
  "%i items of %i characters are read in batches of limited size",
  async (count, size, batches) => {
    const files = filesOf(join(temporaryFolder(onTestFinished), "x.csv"));
    const lines = `"${"é".repeat(size)}"\n`.repeat(count);
    // The rest was written by a killed run.
    writeFileSync(files.partial, `${lines}"cut`);
    const { signal } = new AbortController();
    const state = { length: Buffer.byteLength(lines) } as ExportState;
    const found: number[] = [];
    for await (const items of readItems(files, state, { signal, update: () => undefined }))
      found.push(items.length);
    expect(found).toEqual(batches);
  },
);
