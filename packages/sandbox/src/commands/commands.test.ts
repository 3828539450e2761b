import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, Server } from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
} from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { lastSandbox, rememberSandbox } from "../server/last-sandbox.ts";
import { HELP } from "./run-options.ts";

// The program in this process; cli.test.ts starts it as a user does.

let folder = "";
let runs = 0;
let exit: MockInstance;
let printed: { stdout: string; stderr: string };
const listeners = new Map(
  (["SIGINT", "SIGTERM"] as const).map((signal) => [signal, process.listeners(signal)]),
);
const { argv } = process;
const streams = [process.stdout, process.stderr];
const streamListeners = streams.map((stream) => stream.listeners("error"));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fieldmesh-commands-"));
  printed = { stdout: "", stderr: "" };
  vi.stubEnv("XDG_RUNTIME_DIR", folder);
  vi.stubEnv("NO_COLOR", "1");
  vi.stubEnv("FORCE_COLOR", undefined);
  vi.stubEnv("FIELDMESH_SANDBOX", undefined);
  vi.stubEnv("FIELDMESH_WEBHOOK_SECRET", undefined);
  vi.spyOn(console, "log").mockImplementation((line) => void (printed.stdout += `${line}\n`));
  vi.spyOn(console, "error").mockImplementation((line) => void (printed.stderr += `${line}\n`));
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed.stdout += String(text);
    return true;
  });
  exit = vi.spyOn(process, "exit").mockImplementation((() => {}) as never);
});

afterEach(async () => {
  await end("SIGINT");
  for (const server of servers.splice(0)) server.close();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  process.argv = argv;
  for (const [index, stream] of streams.entries())
    for (const each of stream.listeners("error"))
      if (!streamListeners[index]?.includes(each)) stream.off("error", each as () => void);
  rmSync(folder, { recursive: true });
});

const originOf = (server: TcpServer) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

// vitest finds the tests of a changed file by imports such as this one, which has no query.
void (() => import("./cli.ts"));

/** Runs the program with these arguments, until it has ended or listens. */
async function run(...args: string[]) {
  process.argv = ["node", "fieldmesh-sandbox", ...args];
  process.exitCode = undefined;
  printed = { stdout: "", stderr: "" };
  runs++;
  await import(/* @vite-ignore */ `./cli.ts?${runs}`);
  return { ...printed, code: process.exitCode };
}

/** Ends a sandbox that runs, as Ctrl-C does. */
async function end(signal: "SIGINT" | "SIGTERM"): Promise<void> {
  const own = process.listeners(signal).filter((each) => !listeners.get(signal)?.includes(each));
  if (own.length === 0) return;
  for (const each of own) each(signal);
  await vi.waitFor(() => expect(exit).toHaveBeenCalled());
  for (const name of listeners.keys())
    for (const each of process.listeners(name))
      if (!listeners.get(name)?.includes(each)) process.off(name, each);
}

const servers: Server[] = [];

/** A server on loopback that responds so to every request. */
async function peer(status: number, body: string) {
  const seen: { path: string | undefined; type: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      seen.push({ path: request.url, type: request.headers["content-type"], body: text });
      // A redirect leads back: one that is followed is seen twice.
      response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end(body);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  return { origin: originOf(server), seen };
}

test("prints its version, and how it is used", async () => {
  expect(await run("--version")).toEqual({
    stdout: `${manifest.version}\n`,
    stderr: "",
    code: undefined,
  });
  expect(await run("--help")).toEqual({ stdout: HELP, stderr: "", code: undefined });
});

test("prints where it listens, its keys, and what to type next", async () => {
  const { stdout } = await run("--seed", "fleet");
  const [, port] = /127\.0\.0\.1:(\d+)/.exec(stdout) ?? [];
  const origin = `http://127.0.0.1:${port}`;
  const { CONSOLE_KEY, MOBILE_KEY } = Object.fromEntries(
    [...stdout.matchAll(/export (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
  expect(CONSOLE_KEY).toMatch(/^[\w-]{20,}$/);
  expect(MOBILE_KEY).toMatch(/^sk_\w{20,}$/);
  expect(stdout).toBe(`fieldmesh sandbox ${manifest.version}

  Console   ${origin}/console
  API key   ${CONSOLE_KEY}
  Ledger    ${origin}/ledger
  Mapper    ${origin}/mapper
  Mobile    ${origin}/mobile
  API key   ${MOBILE_KEY}
  Seed      fleet

  export CONSOLE_URL=${origin}/console
  export CONSOLE_KEY=${CONSOLE_KEY}
  export LEDGER_URL=${origin}/ledger
  export MAPPER_URL=${origin}/mapper
  export MOBILE_URL=${origin}/mobile
  export MOBILE_KEY=${MOBILE_KEY}

  curl -H 'key: ${CONSOLE_KEY}' ${origin}/console/api/v1/labels
  curl ${origin}/ledger/v1/blocks/height
  fieldmesh-sandbox trigger sim.activated

Ctrl-C ends it.
`);
});

test("prints the seed that it has without --seed, and what goes wrong on purpose", async () => {
  const { stdout } = await run("--latency", "0", "--faults", "0.123456");
  expect(stdout).toContain("  Seed      1\n  Latency   0 ms\n  Faults    12.35 % of requests\n\n");
  await end("SIGINT");
  const { stdout: both } = await run("--faults", "0.1:reset,503");
  expect(both).toContain("  Seed      1\n  Faults    10 % of requests: reset, 503\n\n");
});

test("colours titles, addresses and keys, and nothing that is copied", async () => {
  vi.stubEnv("NO_COLOR", undefined);
  vi.stubEnv("FORCE_COLOR", "1");
  const { stdout } = await run();
  // oxlint-disable-next-line no-control-regex -- what colours
  const coloured = [...stdout.matchAll(/\u001B\[([12]|36)m(.*?)\u001B/g)].map(
    ([, code, text = ""]) => [
      code,
      text
        .trim()
        .replace(/:\d+/, "")
        .replace(/^[\w-]{20,}$/, "(key)"),
    ],
  );
  expect(coloured).toEqual([
    ["1", `fieldmesh sandbox ${manifest.version}`],
    ["2", "Console"],
    ["36", "http://127.0.0.1/console"],
    ["2", "API key"],
    ["36", "(key)"],
    ["2", "Ledger"],
    ["36", "http://127.0.0.1/ledger"],
    ["2", "Mapper"],
    ["36", "http://127.0.0.1/mapper"],
    ["2", "Mobile"],
    ["36", "http://127.0.0.1/mobile"],
    ["2", "API key"],
    ["36", "(key)"],
    ["2", "Seed"],
    ["2", "Ctrl-C ends it."],
  ]);
});

test("uses the time of the machine, and the options that it is given", async () => {
  const { stdout } = await run("--faults", "1:503");
  const [, url] = /Ledger {4}(\S+)/.exec(stdout) ?? [];
  expect((await fetch(`${url}/v1/blocks/height`)).status).toBe(503);
  await end("SIGINT");
  const [, console, key = ""] =
    /Console {3}(\S+)\n {2}API key {3}(\S+)/.exec((await run()).stdout) ?? [];
  const devices = await (await fetch(`${console}/api/v1/devices`, { headers: { key } })).json();
  const newest = (devices as { last_connected: string | null }[])
    .map(({ last_connected }) => Date.parse(`${last_connected}Z`))
    .filter(Number.isFinite);
  expect(Math.abs(Date.now() - Math.max(...newest))).toBeLessThan(600_000);
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s releases the port, forgets the address and ends the process with 0",
  async (signal) => {
    const { stdout } = await run();
    const [, url = ""] = /Console {3}(\S+)\/console/.exec(stdout) ?? [];
    expect(lastSandbox()).toBe(url);
    await end(signal);
    expect(exit).toHaveBeenCalledExactlyOnceWith(0);
    expect(lastSandbox()).toBeUndefined();
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  },
);

test("tolerates a reader that ends, and no other failure of its output", async () => {
  await run("--version");
  for (const stream of streams) {
    const failWith = (code: string) =>
      stream.emit("error", Object.assign(new Error("failed"), { code }));
    expect(failWith("EPIPE")).toBe(true);
    expect(() => failWith("EIO")).toThrow("failed");
  }
});

describe("a command line that cannot be obeyed", () => {
  const failed = (code: number, sentence: string) => ({
    stdout: "",
    stderr: `fieldmesh-sandbox: ${sentence}\n`,
    code,
  });

  test("gives one sentence and status 2", async () => {
    expect(await run("--prot", "1")).toEqual(failed(2, "unknown option --prot; see --help."));
    expect(await run("--webhook", "http://example.com")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^fieldmesh-sandbox: --webhook: .*this machine only/),
    });
  });

  test("gives status 1 where the port is taken or not allowed", async () => {
    const other = createTcpServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const inUse = await run("--port", `${port}`);
    other.close();
    expect(inUse).toEqual(
      failed(1, `port ${port} is in use; choose another one, or leave --port out for a free one.`),
    );
    // A test that runs as root may use any port.
    vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server) {
      this.emit("error", Object.assign(new Error(), { code: "EACCES", port: 80 }));
      return this;
    });
    expect(await run("--port", "80")).toEqual(
      failed(1, "port 80 may not be used; choose one from 1024 up."),
    );
  });

  test.each([
    ["--env", "missing/.env"],
    ["--webhook", "http://example.com"],
  ])("does not leave a server behind: %s %s", async (name, value) => {
    const free = createTcpServer().listen(0, "127.0.0.1");
    await once(free, "listening");
    const { port } = free.address() as AddressInfo;
    free.close();
    await once(free, "close");
    expect(await run("--port", `${port}`, name, value)).toMatchObject({ code: 2 });
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow("fetch failed");
    expect(lastSandbox()).toBeUndefined();
  });
});

describe("--env", () => {
  test("writes a file for node --env-file, and writes its own file again", async () => {
    const file = join(folder, "sandbox.env");
    for (const again of [false, true]) {
      expect(existsSync(file)).toBe(again);
      const { stdout } = await run("--env", file);
      expect(stdout).toContain(
        `\n\n  The addresses and keys are in ${file}: node --env-file=${file} <program>\n\n`,
      );
      expect(stdout).not.toContain("export");
      const [, origin] = /Console {3}(\S+)\/console/.exec(stdout) ?? [];
      const [console, mobile] = [...stdout.matchAll(/API key {3}(\S+)/g)].map(([, key]) => key);
      expect(readFileSync(file, "utf8").split("\n")).toEqual([
        "# Written by fieldmesh-sandbox, which may write it again.",
        `CONSOLE_URL=${origin}/console`,
        `CONSOLE_KEY=${console}`,
        `LEDGER_URL=${origin}/ledger`,
        `MAPPER_URL=${origin}/mapper`,
        `MOBILE_URL=${origin}/mobile`,
        `MOBILE_KEY=${mobile}`,
        "",
      ]);
      await end("SIGTERM");
    }
  });

  test("leaves alone what it cannot read, and what it has not written", async () => {
    const file = join(folder, "mine.env");
    writeFileSync(file, "CONSOLE_KEY=mine\n");
    expect((await run("--env", file)).stderr).toBe(
      `fieldmesh-sandbox: ${file} exists and was not written by a sandbox, so it is left as it is. Choose another name for --env.\n`,
    );
    expect(readFileSync(file, "utf8")).toBe("CONSOLE_KEY=mine\n");
    expect((await run("--env", folder)).stderr).toBe(
      `fieldmesh-sandbox: ${folder} cannot be read. Choose another name for --env.\n`,
    );
    const missing = join(folder, "missing", ".env");
    expect((await run("--env", missing)).stderr).toBe(
      `fieldmesh-sandbox: ${missing} cannot be written. Choose another name for --env.\n`,
    );
  });
});

describe("--webhook", () => {
  test("prints a new secret, and never one that was given", async () => {
    const receiver = await peer(200, "");
    const { stdout } = await run("--webhook", receiver.origin);
    expect(stdout).toMatch(/\n {2}Webhook {3}http:\S+ {2}whsec_\w+\n/);
    await end("SIGINT");
    const { stdout: given } = await run("--webhook", receiver.origin, "--secret", "whsec_given");
    expect(given).toContain(`\n  Webhook   ${receiver.origin}  signed with your secret\n`);
  });
});

describe("trigger", () => {
  const delivered = (status: string, attempts: object[]) =>
    JSON.stringify({
      event: { id: "evt_1", type: "sim.activated" },
      deliveries: [{ endpoint_id: "we_1", status, attempts }],
    });

  test.each([
    ["delivered", [{ status: 500 }, { status: 200 }], "200", undefined],
    ["pending", [{ outcome: "no_answer" }], "no_answer", 1],
    ["pending", [], "not sent yet", 1],
  ])(
    "prints a delivery that is %s, by its last attempt of %j",
    async (status, attempts, shown, code) => {
      const sandbox = await peer(200, delivered(status, attempts));
      expect(await run("trigger", "sim.activated", "--sandbox", sandbox.origin)).toEqual({
        stdout: `sim.activated  evt_1\n  we_1  ${status}  ${shown}\n`,
        stderr: "",
        code,
      });
    },
  );

  test("sends the type and its data, with numbers of any size, and never the secret of send", async () => {
    const sandbox = await peer(200, delivered("delivered", [{ status: 200 }]));
    await run(
      "trigger",
      "sim.activated",
      "--data",
      '{"n":12345678901234567890}',
      "--sandbox",
      sandbox.origin,
    );
    expect(sandbox.seen).toEqual([
      {
        path: "/webhooks/trigger",
        type: "application/json",
        body: '{"data":{"n":12345678901234567890},"type":"sim.activated"}',
      },
    ]);
    expect(await run("trigger", "sim.activated", "--secret", "x")).toMatchObject({
      code: 2,
      stderr: "fieldmesh-sandbox: unknown option --secret; see --help.\n",
    });
  });

  test("says that no endpoint takes an event, and that nobody knows its type", async () => {
    const event = { id: "evt_1", type: "sim.eaten" };
    const sandbox = await peer(200, JSON.stringify({ event, deliveries: [] }));
    expect(await run("trigger", "sim.eaten", "--sandbox", sandbox.origin)).toEqual({
      stdout:
        "sim.eaten  evt_1\n  a type that nobody knows, as new ones are at first\n  no webhook endpoint takes it\n",
      stderr: "",
      code: 1,
    });
  });

  test("finds the sandbox by --sandbox, then the environment, then the one started last", async () => {
    const body = delivered("delivered", [{ status: 200 }]);
    const [line, environment, last] = [
      await peer(200, body),
      await peer(200, body),
      await peer(200, body),
    ];
    const forget = rememberSandbox(last.origin);
    await run("trigger", "sim.activated");
    vi.stubEnv("FIELDMESH_SANDBOX", environment.origin);
    await run("trigger", "sim.activated");
    await run("trigger", "sim.activated", "--sandbox", line.origin);
    forget();
    expect([line, environment, last].map(({ seen }) => seen.length)).toEqual([1, 1, 1]);
  });

  test.each([
    [400, "enabled_events: is odd", "enabled_events: is odd"],
    [500, "", "the sandbox answered 500."],
    [200, "Welcome", "what listens there is no sandbox: see the address that it printed."],
    [200, "null", "what listens there is no sandbox: see the address that it printed."],
    [200, '{"event":{}}', "what listens there is no sandbox: see the address that it printed."],
    [
      200,
      '{"deliveries":[]}',
      "what listens there is no sandbox: see the address that it printed.",
    ],
    [
      200,
      "x".repeat(2 ** 20 + 1),
      "what listens there is no sandbox: see the address that it printed.",
    ],
    [400, "y".repeat(301), "y".repeat(300)],
  ])("explains a response of %d in one sentence", async (status, body, sentence) => {
    const other = await peer(status, body);
    expect(await run("trigger", "sim.activated", "--sandbox", other.origin)).toEqual({
      stdout: "",
      stderr: `fieldmesh-sandbox: ${sentence}\n`,
      code: 2,
    });
  });

  test.each([
    [["trigger"], "trigger takes one event type, such as sim.activated."],
    [["trigger", "a", "b"], "trigger takes one event type, such as sim.activated."],
    [["trigger", "a"], "no sandbox runs: start fieldmesh-sandbox, or say where with --sandbox."],
    [["trigger", "a", "--sandbox"], "--sandbox needs a value; see --help."],
    [
      ["trigger", "a", "--sandbox", "4010"],
      "--sandbox takes an address such as http://127.0.0.1:4010.",
    ],
    [
      ["trigger", "a", "--sandbox", "ftp://127.0.0.1"],
      "--sandbox takes an address such as http://127.0.0.1:4010.",
    ],
    [
      ["trigger", "a", "--sandbox", "x:http://127.0.0.1"],
      "--sandbox takes an address such as http://127.0.0.1:4010.",
    ],
    [
      ["trigger", "a", "--sandbox", "http://example.com"],
      "--sandbox takes an address of this machine: 127.0.0.1 or localhost.",
    ],
    [
      ["trigger", "a", "--data", "no"],
      `--data takes a JSON object, such as '{"object":{"id":"sim_1"}}'.`,
    ],
    [
      ["trigger", "a", "--data", "[]"],
      `--data takes a JSON object, such as '{"object":{"id":"sim_1"}}'.`,
    ],
    [
      ["send", "sim.activated", "--to", "http://127.0.0.1:1"],
      "--secret is missing; FIELDMESH_WEBHOOK_SECRET in the environment will do too.",
    ],
    [
      ["send", "sim.activated", "--to", "http://127.0.0.1:1", "--secret", ""],
      "--secret is missing; FIELDMESH_WEBHOOK_SECRET in the environment will do too.",
    ],
    [
      ["send", "sim.activated", "--secret", "x"],
      "--to takes an address such as http://127.0.0.1:4010.",
    ],
    [
      ["send", "sim.activatd", "--secret", "x"],
      '"sim.activatd" is no event type. Did you mean "sim.activated"?',
    ],
    [["send", "zzz", "--secret", "x"], '"zzz" is no event type. sim.activated is one.'],
    [["send", "sim.activated", "--sandbox", "x"], "unknown option --sandbox; see --help."],
  ])("%j gives one sentence", async (args, sentence) => {
    expect(await run(...args)).toEqual({
      stdout: "",
      stderr: `fieldmesh-sandbox: ${sentence}\n`,
      code: 2,
    });
  });
});

describe("send", () => {
  const send = (to: string, ...more: string[]) =>
    run("send", "sim.activated", "--to", to, "--secret", "whsec_mine", ...more);

  test("posts one event, signed and new, with the data of the command line", async () => {
    const receiver = await peer(200, "handled");
    for (const id of ["sim_1", "sim_2"])
      expect(await send(receiver.origin, "--data", `{"object":{"id":"${id}"}}`)).toEqual({
        stdout: expect.stringMatching(
          /^sim\.activated {2}evt_[0-9a-f]{32} {2}answered 200 handled\n$/,
        ),
        stderr: "",
        code: undefined,
      });
    const events = receiver.seen.map(
      ({ body }) => JSON.parse(body) as { id: string; created_at: string },
    );
    expect(events).toMatchObject([
      { data: { object: { id: "sim_1" } } },
      { data: { object: { id: "sim_2" } } },
    ]);
    expect(events[0]?.id).not.toBe(events[1]?.id);
    for (const { created_at } of events)
      expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(600_000);
  });

  test("takes the secret of the environment", async () => {
    const receiver = await peer(200, "handled");
    vi.stubEnv("FIELDMESH_WEBHOOK_SECRET", "whsec_env");
    expect(await run("send", "sim.activated", "--to", receiver.origin)).toMatchObject({
      code: undefined,
    });
  });

  test.each([
    [401, "not_verified", " not_verified"],
    [302, "", ""],
    [500, "<h1>Oops</h1>", ""],
    [500, "UPPER", ""],
    [500, "z".repeat(31), ""],
    [500, "z".repeat(30), ` ${"z".repeat(30)}`],
  ])(
    "a response of %d %j gives status 1, and prints an outcome alone",
    async (status, body, shown) => {
      const receiver = await peer(status, body);
      expect(await send(receiver.origin)).toEqual({
        stdout: expect.stringMatching(
          new RegExp(`^sim\\.activated {2}evt_\\w+ {2}answered ${status}${shown}\n$`),
        ),
        stderr: "",
        code: 1,
      });
      expect(receiver.seen).toHaveLength(1);
    },
  );

  test("says that nobody answers", async () => {
    expect(await send("http://127.0.0.1:1")).toEqual({
      stdout: "",
      stderr: "fieldmesh-sandbox: nobody answers at that address; is it started?\n",
      code: 1,
    });
  });
});
