import type { BulkCheckpoint } from "@fieldmesh/console-client";
import type { Job } from "../run-job.ts";
import {
  connect,
  connectPatiently,
  createInOrder,
  euiOf,
  fleet,
  isUnknown,
  listed,
  missing,
  waiting,
} from "./parts.ts";

const QUICK = { chunkSize: 2, settleTime: 1 } as const;

/** The checkpoint of a run has the time at which its requests have ended. */
const resuming: Readonly<Record<string, Job<unknown>>> = {
  "createMany, and a checkpoint that is awaited": async (world) => {
    const checkpoint = (await world.checkpoint.load()) as BulkCheckpoint | null | undefined;
    const report = await connectPatiently(world).devices.createMany(fleet, {
      ...QUICK,
      timeout: 150,
      ifExists: "skip",
      signal: world.signal,
      ...(checkpoint && { checkpoint }),
      onCheckpoint: (place) => world.checkpoint.save(place),
    });
    if (report.unknown === 0) return report;
    // Their time is over, and the list does not show them: the next run creates them.
    await world.checkpoint.save(null);
    throw new Error(`${report.unknown} unknown`);
  },
};

const waited: Readonly<Record<string, Job<unknown>>> = {
  "createMany without a checkpoint, which skips what exists": async (world) =>
    connectPatiently(world).devices.createMany(fleet, { ...QUICK, ifExists: "skip" }),
  "what is missing, one after the other, and again from the list after a failure": async (
    world,
  ) => {
    const client = connect(world);
    const created: string[] = [];
    for (const device of await missing(client))
      created.push((await client.devices.create(device)).dev_eui ?? "");
    return { created };
  },
  "an unknown outcome is looked up before the next attempt": async (world) => {
    const client = connectPatiently(world);
    for (const device of fleet) {
      if ((await listed(client)).has(device.dev_eui)) continue;
      await client.devices.create(device).catch((error: unknown) => {
        // The next run looks it up.
        if (!isUnknown(error)) throw error;
        throw new Error("unknown", { cause: error });
      });
    }
    return { created: fleet.map(euiOf) };
  },
  "a place after each device, and a look at the one that was in progress": (world) =>
    createInOrder(world, (place) => world.checkpoint.save(place)),
  "all at once, after the list": async (world) => {
    const client = connect(world);
    const left = await missing(client);
    const results = await Promise.allSettled(left.map((device) => client.devices.create(device)));
    // All have ended before the next run reads the list.
    for (const result of results) if (result.status === "rejected") throw result.reason;
  },
  "a pause after a failure, by the clock of the world": async (world) => {
    const client = connect(world);
    for (;;) {
      try {
        const known = await listed(client);
        const next = fleet.find(({ dev_eui }) => !known.has(dev_eui));
        if (next === undefined) return { created: fleet.map(euiOf) };
        await client.devices.create(next);
      } catch (error) {
        world.log(`waits after ${(error as Error).name}`);
        await world.clock.sleep(60_000);
      }
    }
  },
  "a database of its own, in which a device is done once it exists": async (world) => {
    const client = connectPatiently(world);
    const done = world.survives("done", () => new Set<string>());
    for (const device of fleet) {
      if (done.has(device.dev_eui)) continue;
      const known = await listed(client);
      if (!known.has(device.dev_eui)) await client.devices.create(device);
      done.add(device.dev_eui);
    }
  },
};

/** Jobs that keep every rule, each in a different way. */
export const correctJobs: Readonly<Record<string, Job<unknown>>> = {
  ...resuming,
  ...waiting(waited),
};
