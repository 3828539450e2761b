import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "fieldmesh-cli-"));
const program = join(folder, "cli.mjs");
const started: ChildProcess[] = [];

// Runs the sources, as all tests do, because a built package may be outdated.
beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, "cli.ts")],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    // As in the package, a command is loaded when it runs.
    splitting: true,
    bundle: true,
    platform: "node",
    format: "esm",
  });
}, 30_000);
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  // A killed sandbox does not remove its address.
  rmSync(join(folder, "fieldmesh"), { recursive: true, force: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The tests have their own file that names the sandbox that was started last. */
const own = { XDG_RUNTIME_DIR: folder, FIELDMESH_SANDBOX: undefined };

async function run(...args: string[]): Promise<Run> {
  const env = { ...process.env, ...own };
  try {
    const ended = await promisify(execFile)(process.execPath, [program, ...args], { env });
    return { code: 0, ...ended };
  } catch (error) {
    return error as Run;
  }
}

/** Starts the program on a free port, unless the arguments say otherwise, and waits until it has printed all its lines. */
async function start(args: string[] = [], env: Record<string, string | undefined> = {}) {
  const port = args.includes("--port") ? [] : ["--port", "0"];
  const child = spawn(process.execPath, [program, ...port, ...args], {
    env: { ...process.env, ...own, ...env },
  });
  started.push(child);
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  while (!text.includes("Ctrl-C")) await once(child.stdout, "data");
  return { child, text };
}

const ADDRESSES = [
  "CONSOLE_URL",
  "CONSOLE_KEY",
  "LEDGER_URL",
  "MAPPER_URL",
  "MOBILE_URL",
  "MOBILE_KEY",
];
const plain = { NO_COLOR: undefined, FORCE_COLOR: undefined };

test("prints a working address, key and curl command, without colors when piped", async () => {
  const { text } = await start([], plain);
  expect(text).toBe(stripVTControlCharacters(text));
  const [, header = "", url = ""] = /curl -H '([^']+)' (\S+)/.exec(text) ?? [];
  const [, baseUrl] = /Console {3}(\S+)/.exec(text) ?? [];
  expect(url).toBe(`${baseUrl}/api/v1/labels`);
  expect(header).toContain(/API key {3}(\S+)/.exec(text)?.[1]);
  const [name = "", key = ""] = header.split(": ");
  const response = await fetch(url, { headers: { [name]: key } });
  expect(response.status).toBe(200);
  expect(await response.json()).toHaveLength(4);
  const [, height = ""] = /curl (http\S+)/.exec(text) ?? [];
  expect(height).toContain(/Ledger {4}(\S+)/.exec(text)?.[1]);
  expect(await (await fetch(height)).json()).toMatchObject({
    data: { height: expect.any(Number) },
  });
});

test("uses colors if they are forced, and never with NO_COLOR", async () => {
  const coloured = await start([], { NO_COLOR: undefined, FORCE_COLOR: "1" });
  expect(coloured.text).not.toBe(stripVTControlCharacters(coloured.text));
  // Users copy the curl command, so it has no colors.
  expect(coloured.text).toMatch(
    /curl -H 'key: [\w+/]+=' http:\/\/127\.0\.0\.1:\d+\/console\/api\/v1\/labels\n/,
  );
  const { text } = await start([], { NO_COLOR: "1", FORCE_COLOR: undefined });
  expect(text).toBe(stripVTControlCharacters(text));
});

test("uses the clock of the machine", async () => {
  const { text } = await start([], plain);
  const [, url, key = ""] = /Console {3}(\S+)\n {2}API key {3}(\S+)/.exec(text) ?? [];
  const devices = (await (await fetch(`${url}/api/v1/devices`, { headers: { key } })).json()) as {
    last_connected: string | null;
  }[];
  const newest = devices
    .map(({ last_connected }) => last_connected ?? "")
    .reduce((a, b) => (a > b ? a : b));
  expect(Math.abs(Date.parse(`${newest}Z`) - Date.now())).toBeLessThan(600_000);
});

test("prints a line for each request, a JSON object with --json, and nothing with --quiet", async () => {
  const { child, text } = await start([], plain);
  const [, url = ""] = /curl (http\S+blocks\S+)/.exec(text) ?? [];
  const [[printed]] = await Promise.all([once(child.stdout, "data"), fetch(url)]);
  expect(printed).toMatch(/^[\d:]{8} {2}ledger {3}GET {5}200 {2}\/ledger\/v1\/blocks\/height {2}/);

  const json = spawn(process.execPath, [program, "--json", "--port", "0"], {
    env: { ...process.env, ...own },
  });
  started.push(json);
  json.stdout.setEncoding("utf8");
  const [first] = (await once(json.stdout, "data")) as [string];
  const { LEDGER_URL } = JSON.parse(first) as { LEDGER_URL: string };
  const asked = fetch(`${LEDGER_URL}/v1/blocks/height`);
  const [second] = (await once(json.stdout, "data")) as [string];
  expect(JSON.parse(second)).toMatchObject({ type: "request", call: "blocks.height" });
  expect((await asked).status).toBe(200);

  const quiet = await start(["--quiet"], plain);
  let more = "";
  quiet.child.stdout.on("data", (chunk: string) => (more += chunk));
  await fetch(/curl (http\S+blocks\S+)/.exec(quiet.text)?.[1] ?? "");
  quiet.child.kill("SIGINT");
  await once(quiet.child, "close");
  expect(more).toBe("");
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "ends on %s with exit code 0, even while a request waits",
  async (signal) => {
    const { child, text } = await start(["--faults", "1:delay"], plain);
    const [, baseUrl] = /Console {3}(\S+)/.exec(text) ?? [];
    const response = fetch(`${baseUrl}/api/v1/labels`).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(await response).toBeInstanceOf(TypeError);
  },
);

test("trigger delivers an event to the --webhook of a running sandbox, which prints its secret", async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(String(request.headers["platform-signature"]));
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const { text } = await start(["--webhook", url], plain);
  expect(text).toMatch(/Webhook {3}http:\S+ {2}whsec_\w+\n/);
  const [, ...command] = /fieldmesh-sandbox (trigger \S+)/.exec(text)![1]!.split(" ");
  const triggered = await run("trigger", ...command);
  expect(triggered).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/delivered {2}200\n$/),
  });
  expect(requests).toEqual([expect.stringMatching(/^t=\d+,v1=/)]);
  const misspelled = await run("trigger", "sim.activatd", ...command.slice(1));
  expect(misspelled).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining('Did you mean "sim.activated"?'),
  });
  const insisted = await run("trigger", "sim.activatd", "--unknown");
  expect(insisted).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^sim\.activatd/),
    stderr: expect.stringContaining("not in the catalog"),
  });
  server.close();
});

test("prints export commands for a shell, and writes a file for node --env-file with --env", async () => {
  const { text } = await start([], plain);
  const lines = text.split("\n").filter((line) => line.startsWith("  export "));
  expect(lines.map((line) => line.replace(/=.*/, ""))).toEqual(
    [...ADDRESSES, "LEDGER_ACCOUNT", "FIELDMESH_SANDBOX"].map((name) => `  export ${name}`),
  );
  const script = `${lines.join("\n")}\n"${process.execPath}" -e 'console.log(process.env.CONSOLE_URL, process.env.MOBILE_KEY, process.env.FIELDMESH_SANDBOX)'`;
  const { stdout } = await promisify(execFile)("sh", ["-c", script]);
  expect(stdout).toBe(
    `${/Console {3}(\S+)/.exec(text)?.[1]} ${/API key {3}(sk_\S+)/.exec(text)?.[1]} ${/http\S+#token=\S+/.exec(text)?.[0]}\n`,
  );

  const file = join(folder, "sandbox.env");
  const quiet = await start(["--env", file], plain);
  expect(quiet.text).not.toContain("export");
  expect(quiet.text).toContain(`--env-file=${file}`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const asking =
    "fetch(process.env.CONSOLE_URL + '/api/v1/labels', { headers: { key: process.env.CONSOLE_KEY } }).then((response) => console.log(response.status, process.env.FIELDMESH_SANDBOX))";
  const asked = await promisify(execFile)(process.execPath, [`--env-file=${file}`, "-e", asking]);
  expect(asked.stdout).toBe(`200 ${/http\S+#token=\S+/.exec(quiet.text)?.[0]}\n`);
  // It overwrites its own file for a sandbox on another port.
  await start(["--env", file], plain);
});

test("listen forwards the deliveries of the running sandbox until Ctrl-C", async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(String(request.headers["platform-signature"]));
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  await start([], plain);
  const listener = spawn(process.execPath, [program, "listen", "--forward-to", url], {
    env: { ...process.env, ...own },
  });
  started.push(listener);
  let notes = "";
  listener.stderr.setEncoding("utf8").on("data", (chunk: string) => (notes += chunk));
  while (!notes.includes("Ctrl-C")) await once(listener.stderr, "data");
  const [printed] = await Promise.all([
    once(listener.stdout, "data"),
    run("trigger", "sim.activated"),
  ]);
  expect(String(printed)).toMatch(/ sim\.activated {2}evt_\w+ {2}responded 200 /);
  expect(requests).toEqual([expect.stringMatching(/^t=\d+,v1=/)]);
  listener.kill("SIGINT");
  expect(await once(listener, "exit")).toEqual([0, null]);
  expect(await run("trigger", "sim.activated")).toMatchObject({ code: 1 });
  server.close();
});

test("help ends without an error if its reader ends early", async () => {
  const child = spawn(process.execPath, [program, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  await once(child, "exit");
  expect(stderr).toBe("");
});
