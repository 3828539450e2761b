import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { createConsoleClient } from "@fieldmesh/console-client";
import { expect, test } from "vitest";
import { isLocalHost, startSandbox } from "./start-sandbox.ts";

test("the console responds to a client at its address, under its path prefix", async () => {
  await using sandbox = await startSandbox();
  const { baseUrl } = sandbox.console;
  expect(baseUrl).toBe(`http://127.0.0.1:${sandbox.port}/console`);
  expect(sandbox.origin).toBe(`http://127.0.0.1:${sandbox.port}`);
  const client = createConsoleClient({ baseUrl, apiKey: sandbox.apiKey });
  const label = await client.labels.create({ name: "Südtor – 3" });
  expect(await client.labels.find({ name: "Südtor – 3" })).toEqual(label);
  expect(sandbox.console.state.labels.get(label.id)?.name).toBe("Südtor – 3");
  expect(sandbox.log.requests("labels.create")).toMatchObject([{ status: 201, done: true }]);
  expect((await fetch(`${sandbox.origin}/api/v1/labels`)).status).toBe(404);
});

/** The request options of a program that calls the controls. */
const bearer = ({ page }: { page: string }) => `Bearer ${page.split("#token=")[1]}`;

/** Returns the status of a request to 127.0.0.1 with another host name. */
const statusOf = ({ port, apiKey }: { port: number; apiKey: string }, host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { host, key: apiKey };
    const path = "/console/api/v1/labels";
    const request = httpRequest({ port, host: "127.0.0.1", path, headers });
    request.on("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", reject);
    request.end();
  });

test("a request to another host name is rejected before it is routed", async () => {
  await using sandbox = await startSandbox();
  for (const host of ["sandbox.attacker.example", "127.0.0.1.attacker.example", "10.0.0.7"])
    expect(await statusOf(sandbox, host)).toBe(421);
  expect(sandbox.log.count).toBe(0);
  expect(await statusOf(sandbox, `localhost:${sandbox.port}`)).toBe(200);
  expect(await statusOf(sandbox, "127.0.0.1")).toBe(200);
});

test("with a host, the sandbox listens there and responds only to addresses and names of the local network", async () => {
  await using sandbox = await startSandbox({ host: "0.0.0.0" });
  expect(sandbox.origin).toBe(`http://127.0.0.1:${sandbox.port}`);
  for (const host of ["10.0.0.7", "sandbox", "[fd00::7]", "127.0.0.1"])
    expect(await statusOf(sandbox, host)).toBe(200);
  expect(await statusOf(sandbox, "sandbox.attacker.example")).toBe(421);
  expect((await fetch(`http://127.0.0.2:${sandbox.port}/ledger/v1/blocks/height`)).status).toBe(
    200,
  );
  const page = { headers: { origin: "http://sandbox.attacker.example" } };
  expect((await fetch(`${sandbox.console.baseUrl}/api/v1/labels`, page)).status).toBe(403);
});

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === "::1");
test.runIf(hasIPv6)(
  "an IPv6 address has brackets in the origin, and is limited to this machine",
  async () => {
    await using sandbox = await startSandbox({ host: "::1" });
    expect(sandbox.origin).toBe(`http://[::1]:${sandbox.port}`);
    expect((await fetch(`${sandbox.origin}/ledger/v1/blocks/height`)).status).toBe(200);
  },
);

test("a host that is not an address of this machine is an error", async () => {
  await expect(startSandbox({ host: "192.0.2.1" })).rejects.toMatchObject({
    code: "EADDRNOTAVAIL",
  });
  await expect(startSandbox({ host: "" })).rejects.toThrow("host must be an address");
});

// The content types that a web page may send to any server without a preflight request.
test.each(["text/plain", "text/plain; charset=json", "text/plain;json", "multipart/form-data"])(
  "a body of type %s is rejected by the controls and by every service",
  async (type) => {
    await using sandbox = await startSandbox();
    const post = (path: string, body: object) =>
      fetch(sandbox.origin + path, {
        method: "POST",
        headers: { "content-type": type, key: sandbox.apiKey, authorization: bearer(sandbox) },
        body: JSON.stringify(body),
      });
    expect((await post("/webhooks/trigger", { type: "sim.activated" })).status).toBe(415);
    expect((await post("/console/api/v1/labels", { name: "Pumps" })).status).toBe(415);
    expect(sandbox.webhooks.events()).toEqual([]);
  },
);

test("the sandbox listens on 127.0.0.1 and on no other address of the machine", async () => {
  await using sandbox = await startSandbox();
  const reached = (host: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(sandbox.port, host);
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
  expect(await reached("127.0.0.1")).toBe(true);
  expect(await reached("127.0.0.2")).toBe(false);
});

test("a closed sandbox releases its port, even while a request waits", async () => {
  const sandbox = await startSandbox({ faults: [{ kind: "delay", ms: 1, virtual: true }] });
  const waiting = fetch(`${sandbox.console.baseUrl}/api/v1/labels`).catch(
    (error: unknown) => error,
  );
  while (sandbox.log.count === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await sandbox.close();
  await sandbox.close();
  expect(await waiting).toBeInstanceOf(TypeError);
  await using next = await startSandbox({ port: sandbox.port });
  expect(next.port).toBe(sandbox.port);
});

test("a port that is in use, or invalid, is rejected with the reason", async () => {
  await using sandbox = await startSandbox();
  await expect(startSandbox({ port: sandbox.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  await expect(startSandbox({ port: 65_536 })).rejects.toBeInstanceOf(RangeError);
});

test.each([
  [{ port: -1 }, new RangeError("port must be an integer from 0 to 65535.")],
  [{ port: 1.5 }, new RangeError("port must be an integer from 0 to 65535.")],
  [{ port: 65_536 }, new RangeError("port must be an integer from 0 to 65535.")],
  [{ port: "4010" }, new RangeError("port must be an integer from 0 to 65535.")],
  [{ host: "" }, new TypeError("host must be an address, such as 0.0.0.0.")],
  [{ host: " " }, new TypeError("host must be an address, such as 0.0.0.0.")],
  [{ host: 1 }, new TypeError("host must be an address, such as 0.0.0.0.")],
  [{ cors: null }, new TypeError("cors must be true or false; it is null.")],
])("the options %j are rejected with the reason", async (options, error) => {
  await expect(startSandbox(options as never)).rejects.toThrow(error);
});

test("options that are not an object are rejected with an example", async () => {
  for (const options of [null, 4010, "4010"])
    await expect(startSandbox(options as never)).rejects.toThrow(
      /startSandbox .*such as { port: 4010 }/,
    );
});

test.each([
  ["127.0.0.1", true],
  ["localhost", true],
  ["127.9.9.9", true],
  ["::1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["192.0.2.1", false],
  ["fd00::7", false],
  ["box", false],
])("a server at %s is reached only by this machine: %s", (host, isLocal) => {
  expect(isLocalHost(host)).toBe(isLocal);
});

test("a sandbox at a host name has this name as its origin, in any case of letters", async () => {
  await using sandbox = await startSandbox({ host: "LOCALHOST" });
  expect(sandbox.origin).toBe(`http://LOCALHOST:${sandbox.port}`);
  expect((await fetch(`${sandbox.origin}/ledger/v1/blocks/height`)).status).toBe(200);
});

test("a connection stays open for 65 seconds without a request", async () => {
  await using sandbox = await startSandbox();
  const { headers } = await fetch(`${sandbox.origin}/ledger/v1/blocks/height`);
  expect(headers.get("keep-alive")).toBe("timeout=65");
});

test("the address of the page is not listed with the members of a sandbox, and the others are", async () => {
  await using sandbox = await startSandbox();
  expect(Object.keys(sandbox)).toEqual(expect.arrayContaining(["port", "origin", "close"]));
  expect(Object.keys(sandbox)).not.toContain("page");
});

test.runIf(hasIPv6)("at all addresses of IPv6, this machine uses 127.0.0.1", async () => {
  await using sandbox = await startSandbox({ host: "::" });
  expect(sandbox.origin).toBe(`http://127.0.0.1:${sandbox.port}`);
  expect((await fetch(`${sandbox.origin}/ledger/v1/blocks/height`)).status).toBe(200);
});
