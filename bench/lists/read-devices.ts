// Reads a device list, and reports how it went: child of the benchmark of lists.
import { createConsoleClient } from "@fieldmesh/console-client";
import { readTask } from "../support/child.ts";
import type { ReadTask, ReadReport } from "./run-list.ts";

const HOUR = 3_600_000;
const SAMPLE_EVERY = 1_000;
const MEGABYTE = 1024 ** 2;

const { baseUrl, method, rounds } = readTask() as ReadTask;
const client = createConsoleClient({
  baseUrl,
  apiKey: "bench-key",
  timeout: HOUR,
  totalTimeout: HOUR,
});

let count = 0;
let heap = 0;
let cpu = 0;
for (let round = 0; round < rounds; round++) {
  count = 0;
  const before = process.cpuUsage();
  const all = { maxResponseBytes: 2 ** 29 };
  if (method === "list") for (const { name } of await client.devices.list(all)) see(name);
  else for await (const { name } of client.devices.each()) see(name);
  const { user, system } = process.cpuUsage(before);
  // The last round is the fastest, because the code is compiled by then.
  cpu = (user + system) / count;
}
const report: ReadReport = { count, cpu, heap: heap / MEGABYTE };
process.send?.(report);
process.disconnect();

function see(name: string): void {
  if (name !== `Device ${count}`) throw new Error(`device ${count} is ${name}`);
  count++;
  if (count % SAMPLE_EVERY === 0) heap = Math.max(heap, process.memoryUsage().heapUsed);
}
