import { expect, test } from "vitest";
import { startSandbox } from "../../server/start-sandbox.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { readNamedServices } from "../named-services.ts";
import { testContext } from "../testing/context.ts";
import { NOT_A_SANDBOX, fakeSandbox } from "../testing/fake-sandbox.ts";

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
