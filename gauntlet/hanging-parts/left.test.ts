import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { waits } from "./index.ts";

const program = fileURLToPath(new URL("left-program.ts", import.meta.url));

/** The lease of an event that is in progress is extended. It ends when the part is given up. */
const LEASED: ReadonlySet<string> = new Set([
  "`extend` of a store",
  "`complete` of a store",
  "`release` of a store",
  "`remember` of an order",
]);

test("a part that hangs keeps no process alive after its caller has left, only while one waits", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as [part: string, left: unknown]);
  const [key, take, ...left] = rows;
  expect([key, take]).toEqual([
    ["the key function of a client", "TimeoutError"],
    ["`take` of a shared rate limit", "TimeoutError"],
  ]);
  expect(Object.fromEntries(left)).toEqual(
    Object.fromEntries(left.map(([part]) => [part, LEASED.has(part) ? 1 : 0])),
  );
  const limited = waits.filter(({ limit, limitText = "" }) => limit && !limitText.startsWith("`t"));
  expect(left.map(([part]) => part)).toEqual(limited.map(({ part }) => part));
});
