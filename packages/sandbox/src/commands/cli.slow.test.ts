import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { toNodeListener } from "../server/node-listener.ts";
import { createReceiver, noStore } from "@fieldmesh/webhook-types/receiver";
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

test("applies the given faults and latency, and prints them", async () => {
  const { text } = await start(["--seed", "fleet", "--latency", "60", "--faults", "1:503"], plain);
  expect(text).toMatch(
    /Seed {6}fleet\n {2}Latency {3}60 ms\n {2}Faults {4}100% of requests: 503\n/,
  );
  const [, baseUrl] = /Console {3}(\S+)/.exec(text) ?? [];
  const before = performance.now();
  expect((await fetch(`${baseUrl}/api/v1/labels`)).status).toBe(503);
  expect(performance.now() - before).toBeGreaterThan(58);
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

test("send signs one event and posts it to a receiver on this machine", async () => {
  const seen: unknown[] = [];
  const receive = createReceiver({
    secret: "whsec_mine",
    store: noStore(),
    handlers: { "*": (event) => seen.push(event) },
  });
  const server = createServer(toNodeListener(receive)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const data = '{"object":{"id":"sim_7"}}';
  const sent = await run(
    "send",
    "--to",
    url,
    "--secret",
    "whsec_mine",
    "sim.activated",
    "--data",
    data,
  );
  expect(sent).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^sim\.activated {2}evt_\w+ {2}responded 200 handled\n$/),
  });
  expect(seen).toMatchObject([{ type: "sim.activated", data: { object: { id: "sim_7" } } }]);
  const refused = await run("send", "sim.activated", "--to", url, "--secret", "whsec_other");
  expect(refused).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("responded 401 not_verified\n"),
  });
  server.close();
  const gone = await run("send", "sim.activated", "--to", url, "--secret", "whsec_mine");
  expect(gone.stderr).toContain("Nothing responds");
});

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

test.each([
  ["a redirect", 302, ""],
  ["a body that is not JSON", 200, "Welcome"],
  ["null", 200, "null"],
  ["a terminal's escape codes", 500, "\u001B[2J\u001B]0;owned\u0007no"],
])("trigger does not print the response of another program: %s", async (_what, status, body) => {
  const reached: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    reached.push(url);
    response.writeHead(status, { location: "/elsewhere" }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const data = '{"object":{"id":"sim_1","count":12345678901234567890}}';
  const { code, stdout, stderr } = await run(
    "trigger",
    "sim.activated",
    "--sandbox-url",
    origin,
    "--data",
    data,
  );
  server.close();
  expect(code).toBe(2);
  expect(reached).toEqual(["/webhooks/trigger"]);
  // oxlint-disable-next-line no-control-regex -- characters that control a terminal
  expect(stdout + stderr).not.toMatch(/\u001B|\u0007|Welcome/);
});

test("--webhook signs with the given secret of the receiver, and does not print it", async () => {
  const receive = createReceiver({ secret: "whsec_mine", store: noStore(), handlers: {} });
  const server = createServer(toNodeListener(receive)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const { text } = await start(["--webhook", url, "--secret", "whsec_mine"], plain);
  expect(text).toMatch(/Webhook {3}http:\S+ {2}signed with your secret\n/);
  expect(text).not.toContain("whsec_mine");
  const [, origin = ""] = /Console {3}(\S+)\/console/.exec(text) ?? [];
  expect(await run("trigger", "sim.activated", "--sandbox-url", origin)).toMatchObject({ code: 0 });
  server.close();
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
  [["--from", "missing.json"], "--from: missing.json cannot be read"],
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

test("prints export commands for a shell, and writes a file for node --env-file with --env", async () => {
  const { text } = await start([], plain);
  const lines = text.split("\n").filter((line) => line.startsWith("  export "));
  expect(lines.map((line) => line.replace(/=.*/, ""))).toEqual(
    [...ADDRESSES, "FIELDMESH_SANDBOX"].map((name) => `  export ${name}`),
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

test("--save writes a snapshot at Ctrl-C, and --from starts from it", async () => {
  const file = join(folder, "fleet.snapshot.json");
  const addLabel = async (text: string, name: string) => {
    const [, header = "", url = ""] = /curl -H '([^']+)' (\S+)/.exec(text) ?? [];
    const [key = "", value = ""] = header.split(": ");
    const headers = { [key]: value, "content-type": "application/json" };
    await fetch(url, { method: "POST", headers, body: JSON.stringify({ name }) });
    return ((await (await fetch(url, { headers })).json()) as unknown[]).length;
  };
  for (const [args, labels] of [
    [["--save", file], 5],
    [["--from", file, "--save", file], 6],
  ] as const) {
    const { child, text } = await start([...args], plain);
    let notes = "";
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (notes += chunk));
    expect(await addLabel(text, `Label ${labels}`)).toBe(labels);
    child.kill("SIGINT");
    await once(child, "close");
    expect(notes).toContain(`The snapshot is in ${file}. It contains all keys.`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
});

test("--env does not overwrite a file of another program", async () => {
  const file = join(folder, "mine.env");
  writeFileSync(file, "CONSOLE_KEY=mine\n");
  const { code, stderr } = await run("--env", file);
  expect(code).toBe(2);
  expect(stderr).toContain("was not written by a sandbox");
  expect(readFileSync(file, "utf8")).toBe("CONSOLE_KEY=mine\n");
});

test("an unknown option ends with one sentence and exit code 2", async () => {
  const { code, stdout, stderr } = await run("--prot", "4010");
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr: "fieldmesh-sandbox: Unknown option --prot; see --help.\n",
  });
});

test("the switches of a service play another deployment, and pages have no access with --no-cors", async () => {
  const { text } = await start(
    ["--console-deployment", "hosted", "--ledger-expired-text", "Cursor Expired", "--no-cors"],
    plain,
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

test("a value that a service does not accept is rejected with a sentence that names the option", async () => {
  expect(await run("--ledger-height", "1.5")).toMatchObject({
    code: 2,
    stderr: "fieldmesh-sandbox: --ledger-height must be an integer from 0 up; it is 1.5.\n",
  });
  expect(await run("--console-uplink-interval", "0")).toMatchObject({
    code: 2,
    stderr: "fieldmesh-sandbox: --console-uplink-interval must be more than 0 milliseconds.\n",
  });
});

test("a port in use is rejected with a sentence that names it", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await run("--port", `${port}`);
  other.close();
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
  const child = spawn(process.execPath, [program, "--host", "0.0.0.0", "--port", "0"], {
    env: { ...process.env, ...own },
  });
  started.push(child);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  while (!text.includes("Ctrl-C")) await once(child.stdout, "data");
  expect(stderr).toContain("every machine on the network can reach this sandbox");
  const [, port] = /http:\/\/127\.0\.0\.1:(\d+)\/console/.exec(text) ?? [];
  expect((await fetch(`http://127.0.0.2:${port}/ledger/v1/blocks/height`)).status).toBe(200);
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
