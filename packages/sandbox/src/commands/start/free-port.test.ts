import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { UsageError } from "../command-error.ts";
import { SANDBOX_PORT } from "../sandbox-port.ts";
import { freeSandboxPort } from "./free-port.ts";

// Addresses that no other test uses at the same time.

async function occupy(host: string, port: number): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, "listening");
  onTestFinished(() => void server.close());
}

test("the port of the sandbox is the first choice, and it is still free after the check", async () => {
  expect(await freeSandboxPort("127.0.0.21")).toBe(SANDBOX_PORT);
  await occupy("127.0.0.21", SANDBOX_PORT);
});

test.each([1, 2, 9])("if the first %i ports are in use, the next one is chosen", async (used) => {
  const host = `127.0.0.${30 + used}`;
  for (let each = 0; each < used; each++) await occupy(host, SANDBOX_PORT + each);
  expect(await freeSandboxPort(host)).toBe(SANDBOX_PORT + used);
});

test("an address that is not of this machine is an error that names --host", async () => {
  await expect(freeSandboxPort("192.0.2.1")).rejects.toThrow(
    new UsageError("192.0.2.1 is not an address of this machine. Choose another --host."),
  );
});
