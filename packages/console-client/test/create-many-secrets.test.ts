import type { BulkCheckpoint } from "../src/index.ts";
import { BulkError, createConsoleClient } from "../src/index.ts";
import { expect, test } from "vitest";
import { canaries, everythingPrinted, findCanary } from "../../../tools/canaries/canaries.ts";
import type { FaultScript } from "../../sandbox/src/index.ts";
import { device, failureOf, QUICK, start } from "../../../tools/testing/bulk-runs.ts";

// A checkpoint is stored in a file or a database, so it must not contain the key of a device.

const app_key = canaries.appKey;
const devices = Array.from({ length: 35 }, (_, index) => device(index, { app_key }));
const RUNS: readonly [string, FaultScript | undefined][] = [
  ["that ends well", undefined],
  ["whose responses are lost", [{ on: "devices.createBatch", kind: "lost", times: 3 }]],
  ["that is rejected", [{ on: "devices.createBatch", kind: "status", status: 403, times: 9 }]],
  [
    "against a service that is down",
    [{ on: "devices.createBatch", kind: "status", status: 503, times: 99 }],
  ],
];

test.each(RUNS)(
  "no checkpoint of a run %s contains an app_key, including that of its error",
  async (_name, faults) => {
    const { create, client } = start(faults, "rejected");
    const kept: unknown[] = [];
    const onCheckpoint = (checkpoint: BulkCheckpoint): void => void kept.push(checkpoint);
    const ended = await create(devices, {
      onCheckpoint,
      concurrency: 1,
    }).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (ended instanceof BulkError) kept.push(ended.checkpoint);
    // In the second run, each device exists.
    await client.devices.createMany(devices, { ...QUICK, onCheckpoint }).then(undefined, () => {});
    expect(kept.length).toBeGreaterThan(1);
    for (const checkpoint of kept)
      expect(findCanary(everythingPrinted(checkpoint))).toBeUndefined();
  },
);

test.each(["app_key", "dev_eui", "base"])(
  "no checkpoint contains an app_key that the service repeats under %s",
  async (field) => {
    const { sandbox } = start();
    const kept: unknown[] = [];
    let asked = 0;
    const client = createConsoleClient({
      baseUrl: sandbox.console.baseUrl,
      apiKey: sandbox.apiKey,
      retry: false,
      fetch: async (url, init) => {
        const request = new Request(url, init);
        if (request.method !== "POST") return await sandbox.console.fetch(request);
        const said = `${app_key} (${btoa(app_key)}) has been used`;
        // The first one is rejected, and the second one ends the run.
        return asked++ === 0
          ? Response.json({ errors: { [field]: [said], [app_key]: ["is odd"] } }, { status: 422 })
          : Response.json({ message: said }, { status: 403 });
      },
    });
    const onCheckpoint = (checkpoint: BulkCheckpoint): void => void kept.push(checkpoint);
    const run = client.devices.createMany(devices, { ...QUICK, concurrency: 1, onCheckpoint });
    const error = await failureOf(run);
    expect(error).toBeInstanceOf(BulkError);
    kept.push((error as { checkpoint?: unknown }).checkpoint);
    expect(kept.at(-1)).toMatchObject({ version: expect.any(Number) });
    for (const each of kept) expect(findCanary(everythingPrinted(each))).toBeUndefined();
  },
);
