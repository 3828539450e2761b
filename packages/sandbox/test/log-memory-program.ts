import { startSandbox } from "../src/index.ts";

// log-memory.test.ts runs this with --expose-gc. It prints the megabytes that each kind of request has left in memory.

const MEGABYTE = 2 ** 20;
const REQUESTS = 12;
const body = JSON.stringify({ name: "Label", pad: "x".repeat(2 * MEGABYTE) });

await using sandbox = await startSandbox({ console: { data: "empty" }, logBytes: 8 * MEGABYTE });
const url = `${sandbox.console.baseUrl}/api/v1/labels`;
const send = async (key: string, host?: string): Promise<void> => {
  for (let sent = 0; sent < REQUESTS; sent++) {
    const headers = { key, "content-type": "application/json", ...(host && { origin: host }) };
    const response = await fetch(url, { method: "POST", headers, body });
    await response.arrayBuffer();
  }
};
const inMemory = (): number => {
  for (let round = 0; round < 3; round++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MEGABYTE;
};

// Buffers of sockets, and what is compiled, come with the first requests.
await send(sandbox.apiKey, "https://other.example");
await send("wrong");
for (const { name, key, host } of [
  { name: "key", key: "wrong" },
  { name: "host", key: sandbox.apiKey, host: "https://other.example" },
  { name: "none", key: sandbox.apiKey },
]) {
  sandbox.reset();
  const before = inMemory();
  await send(key, host);
  const line = JSON.stringify([name, Math.round(inMemory() - before), sandbox.log.count]);
  process.stdout.write(`${line}\n`);
}
