import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createReceiver, noStore } from "@fieldmesh/webhook-types/receiver";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { toNodeListener } from "../server/node-listener.ts";
import { run, start } from "./testing/program.ts";
import { serveLocal } from "./testing/fake-sandbox.ts";
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

test.each([
  ["a redirect", 302, ""],
  ["a body that is not JSON", 200, "Welcome"],
  ["null", 200, "null"],
  ["a terminal's escape codes", 500, "\u001B[2J\u001B]0;owned\u0007no"],
])("trigger does not print the response of another program: %s", async (_what, status, body) => {
  const reached: string[] = [];
  await using server = await serveLocal(({ url = "" }, response) => {
    reached.push(url);
    response.writeHead(status, { location: "/elsewhere" }).end(body);
  });
  const { origin } = new URL(server.url);
  const data = '{"object":{"id":"sim_1","count":12345678901234567890}}';
  const { code, stdout, stderr } = await run(
    "trigger",
    "sim.activated",
    "--sandbox-url",
    origin,
    "--data",
    data,
  );
  expect(code).toBe(2);
  expect(reached).toEqual(["/webhooks/trigger"]);
  // oxlint-disable-next-line no-control-regex -- characters that control a terminal
  expect(stdout + stderr).not.toMatch(/\u001B|\u0007|Welcome/);
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
