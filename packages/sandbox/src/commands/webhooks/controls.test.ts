import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { rememberSandbox } from "../../server/last-sandbox.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { fakeSandbox, NOT_A_SANDBOX } from "../testing/fake-sandbox.ts";
import { findSandbox } from "./controls.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";
import { namedSandbox, readAddress, startedLast } from "./sandbox-address.ts";
import { startSandbox } from "../../server/start-sandbox.ts";
import { readNamedServices } from "../named-services.ts";

const NOWHERE = "http://127.0.0.1:1";
let folder: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  vi.stubEnv("XDG_RUNTIME_DIR", folder);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const input = (sandboxUrl?: string) => ({
  arguments: [],
  options: sandboxUrl === undefined ? {} : { sandboxUrl },
});
const namedBy = (address: string) => testContext({ env: { FIELDMESH_SANDBOX: address } });

test("without a sandbox, a command says how to name one", () => {
  const context = testContext();
  expect(() => findSandbox(context, input())).toThrow(
    new UsageError("No sandbox is running. Start one, or set its address with --sandbox-url."),
  );
  expect(() => findSandbox(context, input("x"))).toThrow("--sandbox-url needs an address");
  expect(() => findSandbox(namedBy("x"), input())).toThrow("FIELDMESH_SANDBOX needs an address");
  expect(context.notes).toEqual([]);
});

test("--sandbox-url is used before the environment, and that before the one that started last", () => {
  const forget = rememberSandbox("http://127.0.0.1:3/#token=last");
  const context = namedBy("http://127.0.0.1:2/#token=named");
  expect(findSandbox(context, input("http://127.0.0.1:1/#token=given")).origin).toBe(
    "http://127.0.0.1:1",
  );
  expect(findSandbox(context, input()).origin).toBe("http://127.0.0.1:2");
  expect(findSandbox(testContext(), input()).origin).toBe("http://127.0.0.1:3");
  expect(context.notes).toEqual(["Sandbox  http://127.0.0.1:1", "Sandbox  http://127.0.0.1:2"]);
  forget();
});

test("a call sends its body as JSON, with exact integers, and the token", async () => {
  await using sandbox = await fakeSandbox({ "POST /a": { count: 1 }, "GET /b": "[]" });
  const { call } = findSandbox(testContext(), input(`${sandbox.origin}/#token=abc-1_2`));
  expect(await call("POST", "/a", { body: { n: 2n ** 70n } })).toEqual({ count: 1 });
  expect(await call("GET", "/b")).toEqual([]);
  expect(sandbox.requests).toEqual([
    {
      line: "POST /a",
      authorization: "Bearer abc-1_2",
      type: "application/json",
      body: '{"n":1180591620717411303424}',
    },
    { line: "GET /b", authorization: "Bearer abc-1_2", type: null, body: "" },
  ]);
});

test("without the right token, the message shows the address in the form that the user chose", async () => {
  await using sandbox = await fakeSandbox({ "GET /b": { status: 401, text: "no" } });
  const { origin } = sandbox;
  const start = `${origin} requires the token of the sandbox. Use the whole address that it printed: `;
  await expect(findSandbox(testContext(), input(origin)).call("GET", "/b")).rejects.toThrow(
    new UsageError(`${start}--sandbox-url '${origin}/#token=…'.`),
  );
  await expect(findSandbox(namedBy(origin), input()).call("GET", "/b")).rejects.toThrow(
    new UsageError(`${start}FIELDMESH_SANDBOX='${origin}/#token=…'.`),
  );
  const forget = rememberSandbox(`${origin}/#token=x`);
  await expect(findSandbox(testContext(), input()).call("GET", "/b")).rejects.toThrow(
    new UsageError(`${start}--sandbox-url '${origin}/#token=…'.`),
  );
  forget();
});

test("if nothing responds, the message names the variable only if it is where the address is from", async () => {
  await expect(findSandbox(testContext(), input(NOWHERE)).call("GET", "/b")).rejects.toThrow(
    new CommandError(`Nothing responds at ${NOWHERE}. Is the sandbox running?`),
  );
  await expect(findSandbox(namedBy(NOWHERE), input()).call("GET", "/b")).rejects.toThrow(
    new CommandError(
      `Nothing responds at ${NOWHERE}, which FIELDMESH_SANDBOX names. Start that sandbox, or unset FIELDMESH_SANDBOX.`,
    ),
  );
});

test("a call ends after 30 seconds without a response", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
  for (const context of [testContext(), namedBy(NOWHERE)])
    await expect(findSandbox(context, input(NOWHERE)).call("GET", "/b")).rejects.toThrow(
      new CommandError(`No response from ${NOWHERE} within 30 s.`),
    );
  expect(timeout.mock.calls).toEqual([[30_000], [30_000]]);
});

test("Ctrl-C ends a call with the reason of the signal, unless the call has its own signal", async () => {
  await using sandbox = await fakeSandbox({ "GET /b": "7" });
  const context = testContext();
  const { call } = findSandbox(context, input(sandbox.origin));
  context.interrupt();
  await expect(call("GET", "/b")).rejects.toBe(context.signal.reason);
  const { signal } = new AbortController();
  expect(await call("GET", "/b", { signal })).toBe(7);
});

const FORM = "needs an address such as http://127.0.0.1:14010/#token=…, as a sandbox prints it.";
const ELSEWHERE = "needs an address of this machine: 127.0.0.1 or localhost.";
afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  ["http://127.0.0.1:14010/#token=ab-c_1", "http://127.0.0.1:14010", "ab-c_1"],
  ["http://localhost:7/console?x=1#token=a", "http://localhost:7", "a"],
  ["http://127.0.0.1:14010", "http://127.0.0.1:14010", undefined],
  ["http://127.0.0.1:14010/#token=", "http://127.0.0.1:14010", undefined],
  ["http://127.0.0.1:14010/#token=a&b", "http://127.0.0.1:14010", undefined],
  ["http://127.0.0.1:14010/#my-token=a", "http://127.0.0.1:14010", undefined],
  ["http://127.0.0.1:14010/#x#token=a", "http://127.0.0.1:14010", undefined],
])("%s is read as an origin and a token", (text, origin, token) => {
  expect(readAddress(text, "--sandbox-url")).toEqual({ origin, token, named: "--sandbox-url" });
});

test.each([
  ["", FORM],
  ["14010", FORM],
  ["127.0.0.1:14010", FORM],
  ["https://127.0.0.1:14010", FORM],
  ["ftp://127.0.0.1", FORM],
  ["http://user@127.0.0.1:14010", FORM],
  ["http://:canary@127.0.0.1:14010", FORM],
  ["http://user:canary@127.0.0.1:14010", FORM],
  ["http://example.com/#token=canary", ELSEWHERE],
])("the address %j is rejected, and is not quoted", (text, sentence) => {
  for (const named of ["--sandbox-url", "FIELDMESH_SANDBOX"] as const)
    expect(() => readAddress(text, named)).toThrow(new UsageError(`${named} ${sentence}`));
});

test("the environment names a sandbox, unless its variable is unset or empty", () => {
  expect(namedSandbox({ FIELDMESH_SANDBOX: "http://127.0.0.1:5/#token=a" })).toEqual({
    origin: "http://127.0.0.1:5",
    token: "a",
    named: "FIELDMESH_SANDBOX",
  });
  expect(namedSandbox({})).toBeUndefined();
  expect(namedSandbox({ FIELDMESH_SANDBOX: "" })).toBeUndefined();
  expect(() => namedSandbox({ FIELDMESH_SANDBOX: "no" })).toThrow(
    new UsageError(`FIELDMESH_SANDBOX ${FORM}`),
  );
});

test("the sandbox that was started last has its token, and a variable did not name it", () => {
  expect(startedLast()).toBeUndefined();
  const forget = rememberSandbox("http://127.0.0.1:6/#token=kept");
  expect(startedLast()).toEqual({ origin: "http://127.0.0.1:6", token: "kept", named: undefined });
  forget();
  expect(startedLast()).toBeUndefined();
});

test("the token of the sandbox that runs at an address is used instead of the one in the address", () => {
  const forget = rememberSandbox("http://127.0.0.1:6/#token=new");
  const at = (text: string) => readAddress(text, "--sandbox-url").token;
  expect(at("http://127.0.0.1:6/#token=old")).toBe("new");
  expect(at("http://127.0.0.1:6")).toBe("new");
  expect(at("http://127.0.0.1:7/#token=old")).toBe("old");
  forget();
  expect(at("http://127.0.0.1:6/#token=old")).toBe("old");
});

const { signal } = testContext();

test("the services of the named sandbox have their addresses, and a key if they need one", async () => {
  const keys = { console: "console-key", mobile: "mobile-key", ledger: "not used" };
  await using sandbox = await fakeSandbox({ "POST /sandbox/keys": keys });
  const { origin } = sandbox;
  expect(
    await readNamedServices({ FIELDMESH_SANDBOX: `${origin}/#token=t` }, signal),
  ).toStrictEqual({
    console: { baseUrl: `${origin}/console`, apiKey: "console-key" },
    ledger: { baseUrl: `${origin}/ledger` },
    mapper: { baseUrl: `${origin}/mapper` },
    mobile: { baseUrl: `${origin}/mobile`, apiKey: "mobile-key" },
  });
  expect(sandbox.requests).toEqual([
    {
      line: "POST /sandbox/keys",
      authorization: "Bearer t",
      type: "application/json",
      body: "{}",
    },
  ]);
});

test.each([
  ["null", "null"],
  ["a list", "[]"],
  ["no keys", "{}"],
  ["only the key of the console", '{"console":"a"}'],
  ["only the key of the mobile service", '{"mobile":"a"}'],
  ["a number as a key", '{"console":"a","mobile":1}'],
  ["another number as a key", '{"console":1,"mobile":"a"}'],
])("another program that responds with %s is not a sandbox", async (_what, text) => {
  await using sandbox = await fakeSandbox({ "POST /sandbox/keys": text });
  await expect(readNamedServices({ FIELDMESH_SANDBOX: sandbox.origin }, signal)).rejects.toThrow(
    new UsageError(NOT_A_SANDBOX),
  );
});

test("no services are read if the environment names no sandbox, or an empty one", async () => {
  for (const env of [{}, { FIELDMESH_SANDBOX: undefined }, { FIELDMESH_SANDBOX: "" }])
    expect(await readNamedServices(env, signal)).toBeUndefined();
});

test("a sandbox that does not respond is an error, also beside another one, and the signal ends the wait", async () => {
  await using _other = await startSandbox();
  const env = { FIELDMESH_SANDBOX: "http://127.0.0.1:1" };
  await expect(readNamedServices(env, signal)).rejects.toThrow(CommandError);
  const reason = new Error("ended");
  await expect(readNamedServices(env, AbortSignal.abort(reason))).rejects.toBe(reason);
});
