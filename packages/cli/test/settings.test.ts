import { readdirSync, readFileSync, statSync, chmodSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { createSandbox, startSandbox } from "@fieldmesh/sandbox";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Input } from "../src/command.ts";
import { run as doctor } from "../src/settings/doctor.ts";
import { runList, runSet, runUse, runRemove } from "../src/settings/change-profiles.ts";
import { configFile } from "../src/settings/profiles.ts";
import { runCommand, testContext } from "./context.ts";
import { runHere } from "./user.ts";
import { temporaryFolder } from "../../../tools/testing/temporary-folder.ts";

let folder: string;
let file: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  file = join(folder, "inner", "config.json");
  env = { FIELDMESH_CONFIG: file };
});

const url = "https://console.example.com";
const key = "key-of-the-plant";

async function setConsole(name: string, options: Input["options"] = { url }, answers = [key]) {
  await runCommand(runSet, testContext({ env, answers }), options, name, "console");
}

test("only this user can read a profile, and it is replaced as a whole", async () => {
  await setConsole("plant");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "inner")).mode & 0o777).toBe(0o700);
  chmodSync(file, 0o644);
  await setConsole("other", { url }, ["another-key"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, "inner"))).toEqual(["config.json"]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    used: "plant",
    profiles: { plant: { console: { url, key } }, other: { console: { url, key: "another-key" } } },
  });
});

test("an empty reply to the prompt keeps the key, and changes only the address", async () => {
  await setConsole("plant");
  await setConsole("plant", { url: "https://new.example.com" }, [""]);
  const { profiles } = JSON.parse(readFileSync(file, "utf8")) as { profiles: object };
  expect(profiles).toEqual({ plant: { console: { url: "https://new.example.com", key } } });
});

test("profiles are listed without their keys, used and removed", async () => {
  await setConsole("plant");
  await setConsole("other");
  const context = testContext({ env, reveal: true });
  await runCommand(runUse, context, {}, "other");
  await runCommand(runList, context);
  expect(context.stdout.map((line) => line.replace(/ +/g, " "))).toEqual([
    "NAME USED SERVICE URL KEY",
    `plant false console ${url} true`,
    `other true console ${url} true`,
  ]);
  await runCommand(runRemove, context, {}, "other");
  const { used, profiles } = JSON.parse(readFileSync(file, "utf8")) as {
    used?: string;
    profiles: object;
  };
  expect([used, Object.keys(profiles)]).toEqual([undefined, ["plant"]]);
  expect(JSON.stringify([context.stdout, context.stderr])).not.toContain(key);
});

test("the environment is preferred to the profile", async () => {
  await setConsole("plant", { url: await closedAddress() });
  await using sandbox = await startSandbox();
  const own = { ...env, CONSOLE_URL: sandbox.console.baseUrl, CONSOLE_KEY: sandbox.apiKey };
  const client = await testContext({ env: own }).client("console");
  expect(await client.labels.list()).toHaveLength(4);
  const other = await testContext({ env }).client("console");
  await expect(other.withOptions({ retry: false }).labels.list()).rejects.toMatchObject({
    name: "ConnectionError",
  });
});

test("the key of a profile is not sent to an address of the environment", async () => {
  await setConsole("plant");
  const own = { ...env, CONSOLE_URL: "https://elsewhere.example.com" };
  await expect(testContext({ env: own }).client("console")).rejects.toThrow("set CONSOLE_KEY");
});

test.each([
  [
    "set",
    () => runCommand(runSet, testContext({ env }), { url }, "plant", "console"),
    "--key-stdin",
  ],
  ["set", () => setConsole("a b"), "The name of a profile"],
  ["set", () => setConsole("__proto__"), "The name of a profile"],
  ["set", () => setConsole("plant", {}), "--url needs an address"],
  ["set", () => setConsole("plant", { url: "https://user:pass@c.example" }), "without a password"],
  ["set", () => setConsole("plant", { url }, [""]), "needs a key"],
  [
    "use",
    () => runCommand(runUse, testContext({ env }), {}, "plant"),
    "There is no profile of this name",
  ],
  [
    "remove",
    () => runCommand(runRemove, testContext({ env }), {}, "constructor"),
    "there is none yet",
  ],
])("profile %s is rejected with a sentence (%#)", async (_name, run, sentence) => {
  const error = await run().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "CliError", exitCode: 2 });
  expect((error as Error).message).toContain(sentence);
});

test("the config file is in the folder of the platform", async () => {
  expect(await configFile({})).toMatch(/fieldmesh([\\/]Config)?[\\/]config\.json$/);
});

/** Returns an address where no server listens. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return `http://127.0.0.1:${port}`;
}

/** Returns the results of the doctor by check. */
async function examine(own: Record<string, string>): Promise<Record<string, string>> {
  const context = testContext({ env: { ...env, ...own }, json: true });
  const failed = await runCommand(doctor, context).then(
    () => undefined,
    (error: unknown) => error,
  );
  const checks = context.stdout.map(
    (line) => JSON.parse(line) as Record<"check" | "result" | "detail", string>,
  );
  expect(failed !== undefined).toBe(checks.some(({ result }) => result === "failed"));
  if (failed !== undefined) expect(failed).toMatchObject({ name: "CliError", exitCode: 1 });
  return Object.fromEntries(
    checks.map(({ check, result, detail }) => [check, `${result}: ${detail}`]),
  );
}

test("the doctor reports no problem with a sandbox", async () => {
  const context = testContext({ sandbox: createSandbox(), env, json: true });
  await runCommand(doctor, context);
  expect(context.stdout).toHaveLength(8);
  expect(context.stdout.join("\n")).not.toContain("failed");
});

test("the doctor reports what is wrong with an address, a key and a clock, and what to do", async () => {
  await using sandbox = await startSandbox();
  const late = createServer((_request, response) =>
    response
      .writeHead(200, { date: new Date(Date.now() - 600_000).toUTCString() })
      .end('{"data":{"height":1}}'),
  ).listen(0, "127.0.0.1");
  await once(late, "listening");
  const checks = await examine({
    CONSOLE_URL: sandbox.console.baseUrl,
    CONSOLE_KEY: "another-key",
    LEDGER_URL: `http://127.0.0.1:${(late.address() as AddressInfo).port}`,
    MOBILE_URL: await closedAddress(),
    MOBILE_KEY: "sk_sandbox_0",
  });
  late.close();
  expect(checks).toMatchObject({
    "console address": "ok: responds to GET /api/v1/organization",
    "console key": "failed: is not accepted: correct CONSOLE_KEY",
    "console clock": "ok: agrees with this machine",
    "ledger clock": expect.stringMatching(
      /^failed: differs from this machine by 60\d s: synchronize the clock/,
    ),
    "mapper address":
      'skipped: none: set MAPPER_URL, run "fieldmesh profile set", or add --sandbox.',
    "mobile address": expect.stringMatching(/^failed: .*ECONNREFUSED.*Correct MOBILE_URL\.$/),
  });
});

test("the doctor names the source of a wrong key", async () => {
  await using sandbox = await startSandbox();
  await setConsole("plant", { url: sandbox.console.baseUrl });
  await runCommand(runUse, testContext({ env }), {}, "plant");
  expect((await examine({ CONSOLE_KEY: "x" }))["console key"]).toBe(
    'failed: is not accepted: correct the key with "fieldmesh profile set plant console"',
  );
});

test("the doctor finds a config file that other users can open", async () => {
  await setConsole("plant", { url: await closedAddress() });
  chmodSync(file, 0o644);
  expect((await examine({}))["config file"]).toBe(
    `failed: other users can open ${file}: run chmod 600 on it`,
  );
});

test("a profile that the command line names is used completely, and the environment is ignored", async () => {
  await using sandbox = await startSandbox();
  await setConsole("plant", { url: sandbox.console.baseUrl }, [sandbox.apiKey]);
  const other = {
    ...env,
    CONSOLE_URL: await closedAddress(),
    CONSOLE_KEY: "of another console",
    FIELDMESH_SANDBOX: await closedAddress(),
  };
  const line = ["labels", "list", "--profile", "plant", "--json"];
  expect((await runHere(line, other)).stdout.trim().split("\n")).toHaveLength(4);
  const { stdout } = await runHere(["doctor", "--profile", "plant"], other);
  expect(stdout).toMatch(/ledger address +skipped +none +none in profile plant: run "fieldmesh/);
  expect(stdout).not.toMatch(/^ledger source/m);
});

test("a key of the environment is not sent to the address of a profile", async () => {
  await using sandbox = await startSandbox();
  await setConsole("plant", { url: sandbox.console.baseUrl }, [sandbox.apiKey]);
  const own = { ...env, CONSOLE_KEY: "of another console" };
  const client = await testContext({ env: own }).client("console");
  // The sandbox rejects any other key.
  expect(await client.labels.list()).toHaveLength(4);
});
