import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createConsoleClient } from "../src/index.ts";
import { expect, test } from "vitest";
import { createSandbox, toNodeListener, type Sandbox } from "../../sandbox/src/index.ts";
import { fleet, held, QUICK } from "../../../tools/testing/bulk-runs.ts";

/** The console receives a batch, and the network resets the connection inside the body of the response. */
async function startCut(work: (sandbox: Sandbox, request: Request) => Promise<unknown>) {
  const sandbox = createSandbox({ console: { data: "empty" } });
  const listener = toNodeListener((request) => sandbox.handler(request));
  let batches = 0;
  const server = createServer((req, res) => {
    if (req.method !== "POST") return listener(req, res);
    batches++;
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    const respond = async () => {
      const url = `http://127.0.0.1${req.url}`;
      const headers = { key: sandbox.apiKey, "content-type": "application/json" };
      const body = Buffer.concat(chunks);
      await work(sandbox, new Request(url, { method: "POST", headers, body }));
      res.writeHead(200, { "content-type": "application/json" });
      // Later, so that the client has the status before the reset.
      res.write('{"success":[{"dev_eui":"', () => setTimeout(reset, 20));
    };
    const reset = () => req.socket.resetAndDestroy();
    req.on("end", () => void respond());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const client = createConsoleClient({
    baseUrl: `http://127.0.0.1:${port}${new URL(sandbox.console.baseUrl).pathname}`,
    apiKey: sandbox.apiKey,
    retry: { baseDelay: 1 },
  });
  return {
    sandbox,
    client,
    batches: () => batches,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a reset inside the body of a 2xx: devices that the list contains are created, and sent once", async () => {
  await using console = await startCut((sandbox, request) => sandbox.handler(request));
  const run = console.client.devices.createMany(fleet(10), QUICK);
  expect(await run.report()).toMatchObject({ created: 10, failed: 0, unknown: 0 });
  expect([console.batches(), held(console.sandbox).length]).toEqual([1, 10]);
});

test("a reset inside the body of a 2xx: devices that no list contains are unknown, and sent once", async () => {
  await using console = await startCut(async () => undefined);
  const run = console.client.devices.createMany(fleet(10), QUICK);
  expect(await run.report()).toMatchObject({ created: 0, failed: 0, unknown: 10 });
  expect(console.batches()).toBe(1);
});
