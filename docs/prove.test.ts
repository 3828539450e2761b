import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConsoleClient } from "@fieldmesh/console-client";
import { proveJob, proveReceiver, type JobWorld, type World } from "@fieldmesh/prove";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { expect, test } from "vitest";

test("the guide shows the message of its first sample", async () => {
  const page = readFileSync(join(import.meta.dirname, "guides/prove-your-handlers.md"), "utf8");
  const build = (world: World) =>
    createReceiver({
      secret: world.secrets,
      clock: world.clock,
      store: world.store(() => memoryStore({ clock: world.clock })),
      handlers: { "sim.activated": (event) => world.effect("mail", event) },
    });
  const proof = proveReceiver(build, { events: ["sim.activated"], seed: 1 });
  await expect(proof).rejects.toThrow(/```text\n([^]*?)\n```/.exec(page)?.[1]);
});

test("the guide of jobs shows the message of its first sample", async () => {
  const page = readFileSync(join(import.meta.dirname, "guides/prove-your-jobs.md"), "utf8");
  const devices = [1, 2].map((index) => ({
    name: `Pump ${index}`,
    dev_eui: `000000000000000${index}`,
    app_eui: "70B3D57ED0010001",
    app_key: "00112233445566778899AABBCCDDEEFF",
  }));
  const run = async ({ baseUrl, apiKey, fetch, checkpoint }: JobWorld) => {
    const client = createConsoleClient({ baseUrl, apiKey, fetch });
    const done = Number((await checkpoint.load()) ?? 0);
    for (const [index, device] of devices.entries()) {
      if (index < done) continue;
      await client.devices.create(device);
      await checkpoint.save(index + 1);
    }
  };
  const error: unknown = await proveJob(run, { devices, seed: 1 }).catch(
    (thrown: unknown) => thrown,
  );
  const shown = /```text\n([^]*?)\n```/.exec(page)?.[1];
  expect((error as Error).message).toBe(shown);
});
