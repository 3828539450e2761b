import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createReceiver, noStore } from "@fieldmesh/webhook-types/receiver";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { toNodeListener } from "../server/node-listener.ts";
import { serveLocal } from "./testing/fake-sandbox.ts";
import { temporaryFolder } from "../../../../tools/testing/temporary-folder.ts";
import { FieldmeshError } from "@fieldmesh/core";
import { PassThrough } from "node:stream";
import { CommandError } from "./command-error.ts";
import { main } from "./main.ts";
import { helpOf } from "./program/help.ts";
import { webhookCommands } from "./specs.ts";
import type { RunCommand } from "./command.ts";

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

test("send signs one event and posts it to a receiver on this machine", async () => {
  const seen: unknown[] = [];
  const receive = createReceiver({
    secret: "whsec_mine",
    store: noStore(),
    handlers: { "*": (event) => seen.push(event) },
  });
  const server = await serveLocal(toNodeListener(receive));
  const { url } = server;
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
  await server[Symbol.asyncDispose]();
  const gone = await run("send", "sim.activated", "--to", url, "--secret", "whsec_mine");
  expect(gone.stderr).toContain("Nothing responds");
});

test("--webhook signs with the given secret of the receiver, and does not print it", async () => {
  const receive = createReceiver({ secret: "whsec_mine", store: noStore(), handlers: {} });
  await using server = await serveLocal(toNodeListener(receive));
  const { url } = server;
  const { text } = await start("--webhook", url, "--secret", "whsec_mine");
  expect(text).toMatch(/Webhook {3}http:\S+ {2}signed with your secret\n/);
  expect(text).not.toContain("whsec_mine");
  const [, origin = ""] = /Console {3}(\S+)\/console/.exec(text) ?? [];
  expect(await run("trigger", "sim.activated", "--sandbox-url", origin)).toMatchObject({ code: 0 });
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
    const { text, stop } = await start(...args);
    expect(await addLabel(text, `Label ${labels}`)).toBe(labels);
    const { code, stderr } = await stop();
    expect(code).toBe(0);
    expect(stderr).toContain(`The snapshot is in ${file}. It contains all keys.`);
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
    stderr: "fieldmesh-sandbox: There is no such option; see --help.\n",
  });
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

// How a command line ends. `main.test.ts` runs whole commands.

afterEach(() => void vi.restoreAllMocks());

async function runMain(
  args: readonly string[],
  {
    columns,
    signal = new AbortController().signal,
  }: { columns?: number | undefined; signal?: AbortSignal } = {},
) {
  const [stdout, stderr] = [
    Object.assign(new PassThrough({ encoding: "utf8" }), columns && { columns }),
    new PassThrough({ encoding: "utf8" }),
  ];
  const code = await main(args, { stdout, stderr, env: {} }, signal);
  return { code, stdout: stdout.read() as string | null, stderr: stderr.read() as string | null };
}

/** Replaces what the command `events` runs. */
function replaceEvents(replaced: RunCommand): void {
  const events = webhookCommands.find(({ name }) => name === "events");
  vi.spyOn(events!, "load").mockResolvedValue({ run: replaced });
}

test("help is as wide as the terminal", async () => {
  for (const columns of [60, 90, undefined])
    expect(await runMain(["help", "listen"], { columns })).toEqual({
      code: 0,
      stdout: helpOf(
        webhookCommands.find(({ name }) => name === "listen"),
        columns,
      ),
      stderr: null,
    });
});

test("a command receives its arguments, its options and how to print", async () => {
  replaceEvents(async ({ output, program, env }, input) => {
    await output.record({ program, env, input, isJson: output.isJson });
    output.note("a note");
  });
  expect(await runMain(["events", "--types", "--json", "--quiet"])).toEqual({
    code: 0,
    stdout:
      '{"program":"fieldmesh-sandbox","env":{},"input":{"arguments":[],"options":{"types":true}},"isJson":true}\n',
    stderr: null,
  });
});

test.each([1, 2] as const)("an error for the user with exit code %i is one line", async (code) => {
  replaceEvents(() => Promise.reject(new CommandError("It is broken.", code)));
  expect(await runMain(["events"])).toEqual({
    code,
    stdout: null,
    stderr: "fieldmesh-sandbox: It is broken.\n",
  });
});

test("an error whose cause has a page in the documentation names its address", async () => {
  const cause = new FieldmeshError("It failed.");
  replaceEvents(() => Promise.reject(new CommandError("It is broken.", 1, { cause })));
  expect((await runMain(["events"])).stderr).toBe(
    `fieldmesh-sandbox: It is broken.\nSee ${cause.docs}\n`,
  );
  replaceEvents(() =>
    Promise.reject(new CommandError("It is broken.", 1, { cause: new Error("a detail") })),
  );
  expect((await runMain(["events"])).stderr).toBe("fieldmesh-sandbox: It is broken.\n");
});

test("any other error is a bug: one line without a stack, and exit code 1", async () => {
  const cause = new FieldmeshError("It failed.");
  replaceEvents(() => Promise.reject(new TypeError("a bug", { cause })));
  expect(await runMain(["events"])).toEqual({
    code: 1,
    stdout: null,
    stderr: "fieldmesh-sandbox: Unexpected: TypeError: a bug\n",
  });
});

test("an error after Ctrl-C is the end of the work in progress, and no failure", async () => {
  const ended = new AbortController();
  replaceEvents(async ({ signal }) => {
    ended.abort();
    signal.throwIfAborted();
  });
  expect(await runMain(["events"], { signal: ended.signal })).toEqual({
    code: 0,
    stdout: null,
    stderr: null,
  });
});

/** How a command line ended. */
interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `fieldmesh-sandbox` in this process. */
async function run(...args: readonly string[]): Promise<Ended> {
  return await begin(args).done;
}

/** Starts a sandbox in this process, on a free port, and waits until it has printed how to use it. `stop` is Ctrl-C. */
async function start(...args: readonly string[]) {
  const { shown, ended, done } = begin(["--port", "0", ...args]);
  const stop = (): Promise<Ended> => {
    ended.abort();
    return done;
  };
  onTestFinished(async () => void (await stop()));
  await vi.waitFor(
    () => {
      if (!shown.stdout.includes("Ctrl-C")) throw new Error(shown.stderr);
    },
    { timeout: 20_000 },
  );
  return { text: shown.stdout, stop };
}

function begin(args: readonly string[]) {
  const ended = new AbortController();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const shown = { stdout: "", stderr: "" };
  stdout.setEncoding("utf8").on("data", (text: string) => (shown.stdout += text));
  stderr.setEncoding("utf8").on("data", (text: string) => (shown.stderr += text));
  const streams = { stdout, stderr, env: process.env };
  const work = async (): Promise<Ended> => {
    const code = await main(args, streams, ended.signal);
    await Promise.all([finished(stdout), finished(stderr)]);
    return { code, ...shown };
  };
  return { ended, shown, done: work() };
}

/** Resolves when everything was read. */
function finished(stream: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    stream.once("end", resolve).end();
  });
}
