import type { NewDevice } from "@fieldmesh/console-client";
import type { JobWorld } from "../job-world.ts";
import type { Job } from "../run-job.ts";
import {
  AT_WORK,
  connect,
  connectPatiently,
  createInOrder,
  euiOf,
  fleet,
  isUnknown,
  listed,
  missing,
  placeOf,
  waiting,
} from "./parts.ts";

/** Calls again until it succeeds, at most three times. */
async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work();
    } catch (error) {
      if (attempt === 3) throw error;
    }
}

/** Creates what is missing, and lets `write` write the key of each device. */
async function creating(world: JobWorld, write: (key: string) => unknown): Promise<void> {
  const client = connect(world);
  for (const device of await missing(client)) {
    await write(String(device.app_key));
    await client.devices.create(device);
  }
}

/** Jobs that do not wait until the work of the run before them has ended. */
const hasty: Readonly<Record<string, Job<unknown>>> = {
  "looks at once what the run before it has created": async (world) => {
    const client = connect(world);
    for (const device of await missing(client)) await client.devices.create(device);
  },
  "lets createMany skip what exists, at once": async (world) =>
    connectPatiently(world).devices.createMany(fleet, { settleTime: 1, ifExists: "skip" }),
  "resumes at once after it was stopped": async (world) => {
    const client = connect(world);
    const lock = world.survives("lock", () => ({ isHeld: false }));
    if (lock.isHeld) await world.clock.sleep(AT_WORK);
    lock.isHeld = true;
    const { signal } = world;
    signal.addEventListener("abort", () => (lock.isHeld = false));
    for (const device of await missing(client)) await client.devices.create(device, { signal });
  },
};

const patient: Readonly<Record<string, Job<unknown>>> = {
  "saves its checkpoint before the work": async (world) => {
    const client = connect(world);
    for (const [at, device] of fleet.entries()) {
      if (at < (await placeOf(world))) continue;
      await world.checkpoint.save({ done: at + 1 });
      await client.devices.create(device);
    }
  },
  "saves its checkpoint once, at the end": async (world) => {
    const client = connect(world);
    if ((await placeOf(world)) === fleet.length) return;
    for (const device of fleet) await client.devices.create(device);
    await world.checkpoint.save({ done: fleet.length });
  },
  "does not await its checkpoint": (world) =>
    createInOrder(world, (place) => void world.checkpoint.save(place)),
  "retries a POST that may have been carried out": async (world) => {
    const client = connect(world);
    const known = await listed(client);
    for (const device of fleet)
      if (!known.has(device.dev_eui)) await retry(() => client.devices.create(device));
  },
  "creates all at once, and begins again after a failure": async (world) => {
    const client = connect(world);
    await Promise.all(fleet.map((device) => client.devices.create(device)));
  },
  "treats an unknown outcome as failed": async (world) => {
    const client = connect(world);
    const failed: NewDevice[] = [];
    for (const device of await missing(client))
      await client.devices.create(device).catch(() => failed.push(device));
    for (const device of failed) await client.devices.create(device);
  },
  "hides failures in its report": async (world) => {
    const client = connect(world);
    for (const device of await missing(client)) await client.devices.create(device).catch(() => {});
    return { created: fleet.map(euiOf) };
  },
  "skips a device whose creation fails": async (world) => {
    const client = connect(world);
    const created: string[] = [];
    for (const device of await missing(client))
      await client.devices.create(device).then(
        () => created.push(device.dev_eui),
        () => undefined,
      );
    return { created };
  },
  "resumes one device too late": async (world) => {
    const client = connect(world);
    const place = (await world.checkpoint.load()) as { last: number } | undefined;
    const known = await listed(client);
    for (const [at, device] of fleet.entries()) {
      if (place !== undefined && at <= place.last) continue;
      // The place of the device in progress, not of the last one that is done.
      await world.checkpoint.save({ last: at });
      if (!known.has(device.dev_eui)) await client.devices.create(device);
    }
  },
  "keeps in its checkpoint what the console held at first": async (world) => {
    const client = connect(world);
    const known = ((await world.checkpoint.load()) as string[] | undefined) ?? [
      ...(await listed(client)),
    ];
    await world.checkpoint.save(known);
    for (const device of fleet)
      if (!known.includes(device.dev_eui)) await client.devices.create(device);
  },
  "keeps the keys of its devices in its checkpoint": async (world) => {
    const client = connect(world);
    const left = await missing(client);
    for (const device of left) await client.devices.create(device);
    await world.checkpoint.save(fleet);
  },
  "logs its settings when a request fails": async (world) => {
    const client = connect(world);
    for (const device of await missing(client))
      await client.devices.create(device).catch((error: unknown) => {
        world.log(
          `failed with ${JSON.stringify({ baseUrl: world.baseUrl, apiKey: world.apiKey })}`,
        );
        throw error;
      });
  },
  "logs a key in small letters, with colons": (world) =>
    creating(world, (key) => world.log(key.toLowerCase().match(/../g)?.join(":") ?? "")),
  "keeps the keys of its devices in base64": (world) =>
    creating(world, (key) => world.checkpoint.save({ packed: btoa(JSON.stringify({ key })) })),
  "prints an address with a key": (world) =>
    // oxlint-disable-next-line no-console -- a mistake that is made deliberately
    creating(world, (key) => console.log(`${world.baseUrl}?key=%${key.replace(/^./, "30")}`)),
  "throws an error with the device in it": async (world) => {
    const client = connect(world);
    for (const device of await missing(client))
      await client.devices.create(device).catch(() => {
        throw new Error(`cannot create ${JSON.stringify(device)}`);
      });
  },
  "waits for a device that was never created": async (world) => {
    const client = connectPatiently(world);
    for (const device of await missing(client)) {
      await client.devices.create(device).catch((error: unknown) => {
        if (!isUnknown(error)) throw error;
      });
      while (!(await listed(client)).has(device.dev_eui)) await world.clock.sleep(3_600_000);
    }
  },
  "marks a device as done in its database before it is": async (world) => {
    const client = connect(world);
    const done = world.survives("done", () => new Set<string>());
    for (const device of fleet) {
      if (done.has(device.dev_eui)) continue;
      done.add(device.dev_eui);
      await client.devices.create(device);
    }
  },
};

/** Jobs with common mistakes, by name. */
export const plantedJobs: Readonly<Record<string, Job<unknown>>> = {
  ...waiting(patient),
  ...hasty,
};
