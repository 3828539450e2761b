import { tracingChannel } from "node:diagnostics_channel";
import type { ChunkMessage } from "../src/index.ts";
import { afterEach, expect, test } from "vitest";
import { device, fleet, KEY, start } from "../../../tools/testing/bulk-runs.ts";

const nodes = tracingChannel<ChunkMessage, ChunkMessage>("fieldmesh:chunk");
const calls = tracingChannel<{ call: string }, { call: string }>("fieldmesh:call");
const steps: ChunkMessage[] = [];
const order: string[] = [];
const watching = {
  start: (message: ChunkMessage) => void order.push(message.step),
  asyncEnd: (message: ChunkMessage) => void steps.push(message),
};
const watchingCalls = { start: ({ call }: { call: string }) => void order.push(call) };
afterEach(() => {
  nodes.unsubscribe(watching as never);
  calls.unsubscribe(watchingCalls as never);
  steps.length = order.length = 0;
});
function watch(): void {
  nodes.subscribe(watching as never);
  calls.subscribe(watchingCalls as never);
}

test("the steps of a run are published with the same object, and include their calls", async () => {
  watch();
  const { create } = start([{ on: "devices.createBatch", kind: "lost" }]);
  const run = create(fleet(20), { ifExists: "skip", concurrency: 1 });
  await run.report();
  expect(order).toEqual([
    "prepare",
    "organization.list",
    "prepare",
    "devices.each",
    "send",
    "devices.createBatch",
    "send",
    "devices.createBatch",
    "read_back",
    "devices.each",
  ]);
  expect(steps.map(({ step, size }) => [step, size])).toEqual([
    ["prepare", 0],
    ["prepare", 0],
    ["send", 10],
    ["send", 10],
    ["read_back", 10],
  ]);
  expect(new Set(steps.map(({ run: one }) => one)).size).toBe(1);
  expect(steps[0]).toEqual({ call: "devices.createMany", run: {}, step: "prepare", size: 0 });
  expect(JSON.stringify(steps)).not.toContain(KEY);
});

test("each run has its own object, and a step that ends the run has its error", async () => {
  watch();
  const { create, client } = start([{ on: "devices.createBatch", kind: "status", status: 403 }]);
  await create([device(1)])
    .report()
    .catch(() => undefined);
  expect(steps.at(-1)).toMatchObject({ step: "send", error: { name: "ApiError", code: "403" } });
  await client.devices.deleteMany([{ id: crypto.randomUUID() }]).report();
  expect(new Set(steps.map(({ run }) => run)).size).toBe(2);
  expect(steps.at(-1)).toMatchObject({ call: "devices.deleteMany", step: "send", size: 1 });
});
