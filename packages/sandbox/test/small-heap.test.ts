import { test } from "vitest";
import { readInSmallHeap } from "./small-heap.ts";

test("100 KB full of mistakes are read with 96 MB, and 20 problems are named", async () => {
  await readInSmallHeap(100_000, 96, ["strict", "warn"]);
});
