import { test } from "vitest";
import { readInSmallHeap } from "./small-heap.ts";

test("a body of 100 KB with many mistakes is read with a heap of 96 MB, and 20 problems are named", async () => {
  await readInSmallHeap(100_000, 96, ["strict", "warn"]);
});
