import { test } from "vitest";
import { readInSmallHeap } from "./small-heap.ts";

test.for([
  ["300 KB", "128 MB", 300_000, 128],
  ["1.5 MB", "256 MB", 1_500_000, 256],
] as const)("%s full of mistakes are read with %s under every mode", async ([, , bytes, heap]) => {
  await readInSmallHeap(bytes, heap, ["strict", "warn", "off"]);
});
