import { spawnSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { APP_EUI, eui, folder, keyOf } from "./fleet-context.ts";

const PROGRAM = join(import.meta.dirname, "../../src/commands/cli.ts");
const ROWS = 200_000;
/** The megabytes of the heap. An import that keeps the rows of this file needs 125. */
const HEAP = "--max-old-space-size=90";

test("an import keeps one key for each device, and not its file", async () => {
  const file = folder().at("devices.csv");
  await pipeline(Readable.from(rows()), createWriteStream(file));
  // --strict ends it before it sends anything.
  const args = [HEAP, PROGRAM, "devices", "import", file, "--strict", "--yes"];
  const console = { CONSOLE_URL: "http://127.0.0.1:9", CONSOLE_KEY: "none" };
  const env = { ...process.env, ...console, NODE_OPTIONS: "" };
  const { stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  expect(stderr).toContain("1 of 200,001 rows cannot be imported");
}, 120_000);

function* rows(): Generator<string> {
  yield "name,dev_eui,app_eui,app_key\n";
  for (let index = 0; index < ROWS; index++)
    yield `Tank ${index},${eui(index)},${APP_EUI},${keyOf(index)}\n`;
  yield `Tank,${eui(ROWS)},${APP_EUI},\n`;
}
