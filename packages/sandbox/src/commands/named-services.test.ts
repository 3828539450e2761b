import { createServer } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { startSandbox } from "../server/start-sandbox.ts";
import { readNamedServices } from "./named-services.ts";

const { signal } = new AbortController();

test("the addresses and keys of the named sandbox are those that it has", async () => {
  await using sandbox = await startSandbox();
  const { origin, page } = sandbox;
  expect(await readNamedServices({ FIELDMESH_SANDBOX: page }, signal)).toEqual({
    console: { baseUrl: `${origin}/console`, apiKey: sandbox.console.apiKey },
    ledger: { baseUrl: `${origin}/ledger` },
    mapper: { baseUrl: `${origin}/mapper` },
    mobile: { baseUrl: `${origin}/mobile`, apiKey: sandbox.mobile.apiKey },
  });
});

test("an environment that names no sandbox has no services", async () => {
  for (const env of [{}, { FIELDMESH_SANDBOX: undefined }, { FIELDMESH_SANDBOX: "" }])
    expect(await readNamedServices(env, signal)).toBeUndefined();
});

test("a named sandbox that does not run is an error, and no other one is used", async () => {
  await using other = await startSandbox();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  expect(other.port).not.toBe(port);
  const env = { FIELDMESH_SANDBOX: `http://127.0.0.1:${port}` };
  await expect(readNamedServices(env, signal)).rejects.toMatchObject({ name: "CommandError" });
});

test("an environment that is not one of strings is a TypeError without its contents", async () => {
  const failing = new Proxy(
    {},
    {
      get: () => {
        throw new Error("canary");
      },
    },
  );
  for (const env of [
    null,
    undefined,
    { FIELDMESH_SANDBOX: 7 },
    { FIELDMESH_SANDBOX: null },
    failing,
  ])
    await expect(readNamedServices(env as never, signal)).rejects.toThrow(
      new TypeError("readNamedServices requires an environment of strings, such as process.env."),
    );
});
