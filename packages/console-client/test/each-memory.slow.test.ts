import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { devices as samples } from "../src/samples.ts";

const COUNT = 60_000;
const AT_ONCE = 200;
const HEAP_MB = 40;

/** A thread of its own has a limit of its own. */
const READER = `
  const { parentPort, workerData } = require("node:worker_threads");
  import(workerData.client).then(async ({ createConsoleClient }) => {
    const { devices } = createConsoleClient({ baseUrl: workerData.baseUrl, apiKey: "console-key" });
    let count = 0;
    for await (const { name } of devices.each()) if (name === "Device " + count) count++;
    parentPort.postMessage(count);
  });
`;

test("a list of 60,000 devices is read one by one, within a heap of 40 MB", async () => {
  const server = createServer((_, response) => void sendList(response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const reader = new Worker(READER, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    workerData: {
      client: new URL("../src/index.ts", import.meta.url).href,
      baseUrl: `http://127.0.0.1:${port}`,
    },
  });
  expect(await once(reader, "message")).toEqual([COUNT]);
  await reader.terminate();
  server.close();
});

async function sendList(response: ServerResponse): Promise<void> {
  const { id: _id, name: _name, ...sample } = samples.list.output[0]!;
  const rest = JSON.stringify(sample).slice(1);
  response.writeHead(200, { "content-type": "application/json" }).write("[");
  for (let from = 0; from < COUNT; from += AT_ONCE) {
    const records = Array.from({ length: AT_ONCE }, (_, at) => {
      const id = `00000000-0000-4000-8000-${String(from + at).padStart(12, "0")}`;
      return `{"id":"${id}","name":"Device ${from + at}",${rest}`;
    });
    const lines = records.join(",");
    if (!response.write(from === 0 ? lines : `,${lines}`)) await once(response, "drain");
  }
  response.end("]");
}
