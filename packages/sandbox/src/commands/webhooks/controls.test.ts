import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { rememberSandbox } from "../../server/last-sandbox.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { fakeSandbox } from "../testing/fake-sandbox.ts";
import { findSandbox } from "./controls.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";

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
