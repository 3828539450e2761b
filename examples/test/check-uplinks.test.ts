import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runExample } from "./run.ts";

const file = join(import.meta.dirname, "../data/uplinks.ndjson");

test("says of each line of a file what the map would make of it", async () => {
  const { code, output } = await runExample("check-uplinks.ts", [file]);
  expect(code).toBe(1);
  expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(35);
  expect(output).toContain("12 can be sent as they are, 10 once they are fixed, 13 cannot be sent");
  expect(output).toContain(
    "line  14  cannot be sent\n          decoded.payload.latitude is not between -90 and 90",
  );
  expect(output).toContain("line  15  to be fixed\n          latitude: taken from lat");
  // Every line says why, and no position is printed.
  expect(output.match(/^line .*\n {10}\S/gm)).toHaveLength(23);
  expect(output).not.toMatch(/\d+\.\d{3,}/);
});

test("says how it is used", async () => {
  expect(await runExample("check-uplinks.ts")).toMatchObject({
    code: 2,
    output: expect.stringContaining("usage:"),
  });
});
