import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createSandbox } from "../../engine/sandbox/sandbox.ts";
import { lastSandbox } from "../../server/last-sandbox.ts";
import { readSnapshot, saveSnapshot } from "../../server/snapshot-file.ts";
import { UsageError } from "../command-error.ts";
import { SANDBOX_PORT, SANDBOX_PORTS } from "../sandbox-port.ts";
import { type TestContext, testContext } from "../testing/context.ts";
import { run } from "./start.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";
import { type IncomingMessage, request as httpRequest } from "node:http";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  // The file that names the sandbox which was started last.
  vi.stubEnv("XDG_RUNTIME_DIR", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

type Options = Record<string, string | boolean>;

/** Starts a sandbox on a free port. `stop` is Ctrl-C. */
async function start(options: Options = {}, given: Partial<TestContext> = {}) {
  const context = { ...testContext({ isJson: true }), ...given };
  const running = run(context, { arguments: [], options: { port: "0", ...options } });
  const stop = async () => {
    context.interrupt();
    await running;
  };
  onTestFinished(stop);
  await vi.waitFor(() => expect(context.lines).not.toEqual([]), { timeout: 20_000 });
  const variables = JSON.parse(context.lines[0] ?? "") as Record<string, string>;
  return { ...context, variables, stop };
}

const rejected = (options: Options) =>
  run(testContext(), { arguments: [], options: { port: "0", ...options } });

test("with --json, the variables are one object, and requests follow until Ctrl-C", async () => {
  const { variables, lines, notes, stop } = await start();
  expect(Object.keys(variables)).toEqual([
    "CONSOLE_URL",
    "CONSOLE_KEY",
    "LEDGER_URL",
    "MAPPER_URL",
    "MOBILE_URL",
    "MOBILE_KEY",
    "LEDGER_ACCOUNT",
    "FIELDMESH_SANDBOX",
  ]);
  const { LEDGER_URL = "" } = variables;
  await fetch(`${LEDGER_URL}/v1/blocks/height`);
  expect(lines.slice(1).map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { type: "request", path: "/ledger/v1/blocks/height", status: 200 },
  ]);
  expect(notes).toEqual([]);
  await stop();
  await expect(fetch(`${LEDGER_URL}/v1/blocks/height`)).rejects.toThrow(TypeError);
});

test("with --quiet, requests are not printed", async () => {
  const { output, lines } = testContext({ isJson: true });
  const { variables } = await start({}, { output: { ...output, isQuiet: true }, lines });
  await fetch(`${variables["LEDGER_URL"]}/v1/blocks/height`);
  expect(lines).toHaveLength(1);
});

test("other commands find the sandbox until it ends", async () => {
  const { variables, stop } = await start();
  expect(lastSandbox()).toBe(variables["FIELDMESH_SANDBOX"]);
  await stop();
  expect(lastSandbox()).toBeUndefined();
});

test("Ctrl-C during the start ends the sandbox as soon as it runs", async () => {
  const context = testContext();
  context.interrupt();
  await run(context, { arguments: [], options: { port: "0" } });
  expect(context.lines.join("\n")).toMatch(/^fieldmesh sandbox [^]*Press Ctrl-C to stop it\.$/);
});

test("--env writes the variables to a file before they are announced", async () => {
  const env = join(folder, "sandbox.env");
  const { variables } = await start({ env });
  expect(readFileSync(env, "utf8")).toContain(`\nCONSOLE_URL=${variables["CONSOLE_URL"]}\n`);
});

test("--webhook is signed with the given secret, or with one that the sandbox makes and shows", async () => {
  const secretFile = join(folder, "secret.txt");
  writeFileSync(secretFile, "whsec_mine\n", { mode: 0o600 });
  const webhook = "http://127.0.0.1:1/hooks";
  const described = async (options: Options) => {
    const context = testContext();
    context.interrupt();
    await run(context, { arguments: [], options: { port: "0", webhook, ...options } });
    return context.lines[0];
  };
  expect(await described({ secretFile })).toContain(`${webhook}  signed with your secret\n`);
  expect(await described({})).toMatch(/\/hooks {2}whsec_\S+\n/);
});

test.each(["127.0.0.1", "localhost", "127.0.0.2"])(
  "--host %s is on this machine, and has no warning",
  async (host) => {
    const { notes } = await start({ host });
    expect(notes).toEqual([]);
  },
);

test("--host of the network has a warning before the addresses", async () => {
  const { notes } = await start({ host: "0.0.0.0" });
  expect(notes).toEqual([
    "Warning: with --host 0.0.0.0, every machine on the network can reach this sandbox and call its services. Its page and controls require the token.",
  ]);
});

test("a host that is not of this machine is named, with a port and without one", async () => {
  const error = new UsageError(
    "192.0.2.1 is not an address of this machine. Choose another --host.",
  );
  await expect(rejected({ host: "192.0.2.1" })).rejects.toThrow(error);
  const input = { arguments: [], options: { host: "192.0.2.1" } };
  await expect(run(testContext(), input)).rejects.toThrow(error);
});

test("if all known ports are in use, no other port is chosen", async () => {
  const host = "127.0.0.52";
  for (let at = 0; at < SANDBOX_PORTS; at++) {
    const server = createServer().listen(SANDBOX_PORT + at, host);
    await once(server, "listening");
    onTestFinished(() => void server.close());
  }
  const starting = run(testContext(), { arguments: [], options: { host } });
  await expect(starting).rejects.toThrow(/^Ports 14010 to 14019 are in use\. /);
});

test("an endpoint on another machine is rejected, and the sandbox ends", async () => {
  await expect(rejected({ webhook: "http://example.com/" })).rejects.toThrow(
    /^--webhook: .*this machine/,
  );
  await expect(rejected({ webhook: "http://example.com/" })).rejects.toBeInstanceOf(UsageError);
  expect(lastSandbox()).toBeUndefined();
});

test("--save writes a snapshot at the end, and says so", async () => {
  const save = join(folder, "end.json");
  const { notes, stop } = await start({ save, seed: "fleet" });
  expect(existsSync(save)).toBe(false);
  await stop();
  expect(notes).toEqual([`The snapshot is in ${save}. It contains all keys.`]);
  expect(readSnapshot(save).seed).toBe("fleet");
});

test("a snapshot that cannot be written at the end is told, and the exit code is 1", async () => {
  onTestFinished(() => void (process.exitCode = undefined));
  const inside = mkdtempSync(join(folder, "gone-"));
  const save = join(inside, "end.json");
  const { notes, stop } = await start({ save });
  rmSync(inside, { recursive: true });
  await stop();
  expect(notes).toEqual([`--save: ${save} cannot be written (ENOENT). Choose another name.`]);
  expect(process.exitCode).toBe(1);
});

test("--from starts with the data of a snapshot, and rejects one that does not fit", async () => {
  const from = join(folder, "start.json");
  saveSnapshot(from, createSandbox({ seed: "fleet" }).snapshot());
  const { variables, stop } = await start({ from });
  expect(variables["CONSOLE_KEY"]).toBe(createSandbox({ seed: "fleet" }).apiKey);
  await stop();
  const { format } = createSandbox().snapshot();
  writeFileSync(from, JSON.stringify({ format }));
  await expect(rejected({ from })).rejects.toThrow(/^--from: /);
  await expect(rejected({ from })).rejects.toBeInstanceOf(UsageError);
});

const LAST = SANDBOX_PORT + SANDBOX_PORTS - 1;

/** Starts a sandbox as a user does, and returns its environment variables. */
async function startWithDefaults() {
  const context = testContext({ isJson: true });
  const running = run(context, { arguments: [], options: {} });
  onTestFinished(async () => {
    context.interrupt();
    await running;
  });
  await vi.waitFor(() => expect(context.lines).not.toEqual([]), { timeout: 20_000 });
  const variables = JSON.parse(context.lines[0] ?? "{}") as Record<string, string>;
  return { ...context, variables, page: new URL(variables["FIELDMESH_SANDBOX"] ?? "") };
}

/** Takes a port, unless another program has it already. */
async function occupy(port: number, host = "127.0.0.1"): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.once("error", () => resolve()).listen(port, host, resolve);
  });
  onTestFinished(() => void server.close());
}

test("a sandbox listens on its known port, and says so if that port was in use", async () => {
  await occupy(SANDBOX_PORT);
  const { page, notes, variables } = await startWithDefaults();
  const port = Number(page.port);
  expect(port).toBeGreaterThan(SANDBOX_PORT);
  expect(port).toBeLessThanOrEqual(LAST);
  expect(notes).toEqual([`Port ${SANDBOX_PORT} is in use, so this sandbox listens on ${port}.`]);
  expect(variables["CONSOLE_URL"]).toBe(`http://127.0.0.1:${port}/console`);
});

test("the known port responds to no other host name and to no page of another machine", async () => {
  const { page } = await startWithDefaults();
  const { port, hash } = page;
  const statusOf = async (path: string, headers: Record<string, string>) => {
    const request = httpRequest({
      host: "127.0.0.1",
      port,
      path,
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${hash.replace("#token=", "")}`,
        ...headers,
      },
    }).end("{}");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  // A name that leads to 127.0.0.1, as an attacker's name server can return it, and pages of other machines.
  const foreign = [
    [{ host: `attacker.example:${port}` }, 421],
    [{ origin: "https://attacker.example" }, 403],
    [{ origin: `http://attacker.example:${port}` }, 403],
    [{ origin: "null" }, 403],
  ] as const;
  for (const path of ["/sandbox/keys", "/sandbox/reset", "/webhooks/trigger", "/ledger/v1/x", "/"])
    for (const [headers, status] of foreign)
      expect([path, headers, await statusOf(path, headers)]).toEqual([path, headers, status]);
  // The same request is accepted without these headers.
  expect(await statusOf("/sandbox/keys", {})).toBe(200);
});
