import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { rememberSandbox } from "../../server/last-sandbox.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { NOT_A_SANDBOX, fakeSandbox } from "../testing/fake-sandbox.ts";
import { findSandbox, readDeliveries, readDelivery, readList } from "./controls.ts";
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

test("a call to an address without a token has no authorization", async () => {
  await using sandbox = await fakeSandbox({ "GET /b": "{}" });
  await findSandbox(testContext(), input(sandbox.origin)).call("GET", "/b");
  expect(sandbox.requests).toMatchObject([{ line: "GET /b", authorization: null }]);
});

test("a response has its JSON, with exact integers, and one with status 204 has none", async () => {
  await using sandbox = await fakeSandbox({
    "GET /large": '{"n":1180591620717411303424}',
    "DELETE /gone": { status: 204, text: "" },
  });
  const { call } = findSandbox(testContext(), input(sandbox.origin));
  expect(await call("GET", "/large")).toEqual({ n: 2n ** 70n });
  expect(await call("DELETE", "/gone")).toBeUndefined();
});

test.each([
  ["a page", 200, "<html>", NOT_A_SANDBOX],
  ["nothing, with status 200", 200, "", NOT_A_SANDBOX],
  ["a message", 404, "There is nothing to undo.", "There is nothing to undo."],
  ["a message with control characters", 500, "a\u001B[2J\nb", "a[2Jb"],
  ["a long message", 400, "x".repeat(400), "x".repeat(300)],
  ["a status only", 500, "", "ORIGIN responded 500."],
  ["control characters only", 500, "\u001B\n", "ORIGIN responded 500."],
  ["a redirect", 302, "", "ORIGIN responded 302."],
])("a response with %s is a usage error", async (_what, status, text, message) => {
  await using sandbox = await fakeSandbox({ "GET /b": { status, text }, "GET /": "{}" });
  const { call } = findSandbox(testContext(), input(sandbox.origin));
  await expect(call("GET", "/b")).rejects.toThrow(
    new UsageError(message.replace("ORIGIN", sandbox.origin)),
  );
  expect(sandbox.requests.map(({ line }) => line)).toEqual(["GET /b"]);
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

test.each([null, "x", {}, 1, [1], [null], [[]], [{}, "x"]])(
  "%j is not a list of records",
  (value) => {
    for (const read of [readList, readDeliveries])
      expect(() => read(value)).toThrow(new UsageError(NOT_A_SANDBOX));
  },
);

test("a list of records is returned as it is, also an empty one", () => {
  for (const read of [readList, readDeliveries])
    for (const list of [[], [{ attempts: [] }], [{ id: "a", attempts: [{}] }]])
      expect(read(list)).toEqual(list);
});

test.each([
  null,
  1,
  [],
  {},
  { attempts: null },
  { attempts: {} },
  { attempts: [1] },
  { attempts: [null] },
])("%j is not a delivery, because it has no attempts that can be printed", (value) => {
  expect(() => readDelivery(value)).toThrow(new UsageError(NOT_A_SANDBOX));
  expect(() => readDeliveries([{ attempts: [] }, value])).toThrow(new UsageError(NOT_A_SANDBOX));
});
