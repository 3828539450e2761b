import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("same-bytes-program.ts", import.meta.url));

test("the same seed and the same requests return the same bytes in another process", async () => {
  const runs = await Promise.all(
    [1, 2].map(() => promisify(execFile)(process.execPath, [program])),
  );
  const [one, other] = runs.map(({ stdout }) => stdout);
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(other).toBe(one);
});
