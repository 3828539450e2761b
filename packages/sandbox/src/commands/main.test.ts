import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { run, start } from "./testing/program.ts";
import { serveLocal } from "./testing/serve-local.ts";
import { temporaryFolder } from "../../../../tools/testing/temporary-folder.ts";

// Command lines of fieldmesh-sandbox. `cli.slow.test.ts` runs the program itself.

let folder: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  // The file that names the sandbox which was started last.
  vi.stubEnv("XDG_RUNTIME_DIR", folder);
  vi.stubEnv("FIELDMESH_SANDBOX", undefined);
  vi.stubEnv("NO_COLOR", "1");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test("applies the given faults and latency, and prints them", async () => {
  const { text } = await start("--seed", "fleet", "--latency", "60", "--faults", "1:503");
  expect(text).toMatch(
    /Seed {6}fleet\n {2}Latency {3}60 ms\n {2}Faults {4}100% of requests: 503\n/,
  );
  const [, baseUrl] = /Console {3}(\S+)/.exec(text) ?? [];
  const before = performance.now();
  expect((await fetch(`${baseUrl}/api/v1/labels`)).status).toBe(503);
  expect(performance.now() - before).toBeGreaterThan(58);
});

test.each([
  [["trigger"], "trigger needs <type>"],
  [["trigger", "sim.activated"], "No sandbox is running. Start one"],
  [["trigger", "sim.activated", "--sandbox-url", "4010"], "--sandbox-url needs an address"],
  [["trigger", "sim.activated", "--sandbox-url", "http://example.com"], "this machine"],
  [["send", "sim.activated", "--to", "http://127.0.0.1:4010"], "FIELDMESH_WEBHOOK_SECRET"],
  [
    ["send", "sim.activatd", "--to", "http://127.0.0.1:1", "--secret", "canary"],
    'Did you mean "sim.activated"?',
  ],
  [["send", "sim.activated", "--to", "http://example.com", "--secret", "canary"], "this machine"],
  [
    ["send", "sim.activated", "--to", "http://127.0.0.1:1", "--data", "canary"],
    "--data needs a JSON object",
  ],
  [["--webhook", "http://example.com"], "this machine only"],
  [["--env"], "needs a value"],
  [["--env", ""], "needs the name of a file"],
  [["--env", "missing-folder/.env"], "cannot be written"],
  [["--env", "."], "cannot be read"],
  [["--from", ""], "needs the name of a file"],
  [["--from", "missing.json"], "--from: the file cannot be read"],
  [["--from", "package.json"], "package.json is not a snapshot of a sandbox"],
  [["--from", "a.json", "--seed", "2"], "remove --seed"],
  [["--save", "missing-folder/a.json"], "cannot be written"],
  [["--save", "package.json"], "left as it is"],
])("%j is rejected with one sentence and exit code 2", async (args, sentence) => {
  const { code, stderr } = await run(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain("canary");
});

test("the switches of a service play another deployment, and pages have no access with --no-cors", async () => {
  const { text } = await start(
    "--console-deployment",
    "hosted",
    "--ledger-expired-text",
    "Cursor Expired",
    "--no-cors",
  );
  expect(text).toMatch(
    /Switches {2}--no-cors\n {12}--console-deployment hosted\n {12}--ledger-expired-text "Cursor Expired"\n/,
  );
  const [, baseUrl] = /Console {3}(\S+)/.exec(text) ?? [];
  const [, key = ""] = /API key {3}(\S+)/.exec(text) ?? [];
  const response = await fetch(`${baseUrl}/api/v1/organization`, {
    headers: { key, origin: "http://localhost:3000" },
  });
  expect(await response.json()).toMatchObject({ id: expect.any(String) });
  expect(response.headers.has("access-control-allow-origin")).toBe(false);
});

test("a port in use is rejected with a sentence that names it", async () => {
  await using other = await serveLocal(() => {});
  const { port } = new URL(other.url);
  const { code, stderr } = await run("--port", port);
  expect(stderr).toBe(
    `fieldmesh-sandbox: Port ${port} is in use. Choose another one; --port 0 is any free one.\n`,
  );
  expect(code).toBe(2);
});

test("--version prints the version of the package, and --help names every option", async () => {
  const manifest = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"),
  ) as { version: string };
  expect((await run("--version")).stdout).toBe(`${manifest.version}\n`);
  const { code, stdout } = await run("--help");
  expect(code).toBe(0);
  for (const option of [
    "--port",
    "--seed",
    "--latency",
    "--faults",
    "--webhook",
    "--env",
    "--version",
    "--help",
  ])
    expect(stdout).toContain(option);
});

test("--host listens on other addresses, with a warning", async () => {
  const { text, stop } = await start("--host", "0.0.0.0");
  const [, port] = /http:\/\/127\.0\.0\.1:(\d+)\/console/.exec(text) ?? [];
  expect((await fetch(`http://127.0.0.2:${port}/ledger/v1/blocks/height`)).status).toBe(200);
  const { stderr } = await stop();
  expect(stderr).toContain("every machine on the network can reach this sandbox");
});
