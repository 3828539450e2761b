import { readFileSync } from "node:fs";
import { join } from "node:path";
import { proveReceiver, type World } from "@fieldmesh/prove";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { expect, test } from "vitest";

test("the guide shows the message of its first sample", async () => {
  const page = readFileSync(join(import.meta.dirname, "guides/prove.md"), "utf8");
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
