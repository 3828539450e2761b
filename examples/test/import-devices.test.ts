import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox, type RunningSandbox } from "@fieldmesh/sandbox";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runExample } from "./run.ts";

const SECONDS = 1_000;
const HEADER = "name,dev_eui,app_eui,app_key,site";
const key = "00112233445566778899AABBCCDDEEFF";
const good = `Tank 1,0004A30B001C0001,70B3D57ED0010001,${key},Mill`;
const shortEui = `"Tank 2, old",4A30B001C0002,70B3D57ED0010001,${key},Mill`;

let sandbox: RunningSandbox;
let folder: string;
let file: string;

beforeEach(async () => {
  sandbox = await startSandbox({ console: { data: "empty" } });
  folder = mkdtempSync(join(tmpdir(), "import-"));
  file = join(folder, "fleet.csv");
});

afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (path: string) =>
  runExample("import-devices.ts", [path], {
    CONSOLE_URL: sandbox.console.baseUrl,
    CONSOLE_KEY: sandbox.apiKey,
  });

test(
  "writes the rows that failed to a file that can be mended and imported",
  async () => {
    writeFileSync(file, [HEADER, good, shortEui].join("\r\n"));
    const first = await run(file);
    expect(first.output).toContain(
      "line 3: the dev_eui has 13 digits instead of 16: leading zeros are lost",
    );
    expect(first.output).toContain("1 created, 1 failed, 0 unknown");
    expect(first.code).toBe(1);

    const failures = join(folder, "fleet.failures.csv");
    const text = readFileSync(failures, "utf8");
    expect(text).toContain('"Tank 2, old",4A30B001C0002');
    expect(text).not.toContain("Tank 1");
    expect(statSync(failures).mode & 0o077).toBe(0);

    writeFileSync(failures, text.replace("4A30B001C0002", "0004A30B001C0002"));
    const second = await run(failures);
    expect(second.output).toContain("1 created, 0 failed, 0 unknown");
    expect(second.code).toBe(0);
    expect(sandbox.console.state.devices.size).toBe(2);
  },
  30 * SECONDS,
);

test(
  "goes on where it was, and its state holds no key",
  async () => {
    writeFileSync(file, [HEADER, good, shortEui].join("\n"));
    const state = `${file}.state.json`;
    // The list cannot be read back after a lost answer, so the run ends in the middle.
    sandbox.setFaults([
      { on: "devices.createBatch", kind: "lost" },
      { on: "devices.list", kind: "status", status: 401, times: Infinity },
    ]);
    const stopped = await run(file);
    expect(stopped.code).not.toBe(0);
    expect(existsSync(state)).toBe(true);
    expect(readFileSync(state, "utf8")).not.toContain(key);

    sandbox.setFaults(undefined);
    const resumed = await run(file);
    expect(resumed.output).toContain("Going on where the last run stopped.");
    expect(resumed.output).toContain("1 created, 1 failed, 0 unknown");
    expect(sandbox.log.requests("devices.createBatch")).toHaveLength(1);
    expect(existsSync(state)).toBe(false);
  },
  30 * SECONDS,
);

test("says how it is used", async () => {
  const { code, output } = await runExample("import-devices.ts");
  expect(code).toBe(2);
  expect(output).toContain("usage: CONSOLE_URL=");
});
