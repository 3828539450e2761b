import {
  CallError,
  createConsoleClient,
  type ConsoleClient,
  type NewDevice,
} from "@fieldmesh/console-client";
import type { JobWorld } from "../job-world.ts";
import type { Job } from "../run-job.ts";

const KEY = "00112233445566778899AABBCCDDEEFF";

/** The devices that each job of these tests creates. */
export const fleet: readonly NewDevice[] = [1, 2, 3].map((index) => ({
  name: `Device ${index}`,
  dev_eui: index.toString(16).toUpperCase().padStart(16, "0"),
  app_eui: "70B3D57ED0010001",
  app_key: KEY,
}));

/** A client that sends each request once. */
export function connect({ baseUrl, apiKey, fetch }: JobWorld): ConsoleClient {
  return createConsoleClient({ baseUrl, apiKey, fetch, retry: false });
}

/** A client as users create it. */
export function connectPatiently({ baseUrl, apiKey, fetch }: JobWorld): ConsoleClient {
  return createConsoleClient({ baseUrl, apiKey, fetch, retry: { baseDelay: 1 } });
}

/** How long a request may be at work: longer than that of a client. */
export const AT_WORK = 60_000;

/** Lets each run of these jobs begin when the requests of the run before it have ended. */
export function waiting<Jobs extends Readonly<Record<string, Job<unknown>>>>(jobs: Jobs): Jobs {
  const all = Object.entries(jobs).map(([name, job]) => [
    name,
    async (world: JobWorld) => {
      await world.clock.sleep(AT_WORK);
      return job(world);
    },
  ]);
  return Object.fromEntries(all) as Jobs;
}

/** The EUIs of all devices. */
export async function listed(client: ConsoleClient): Promise<Set<string>> {
  return new Set((await client.devices.list()).map(({ dev_eui }) => dev_eui));
}

/** The devices that the console does not have yet. */
export async function missing(client: ConsoleClient): Promise<NewDevice[]> {
  const known = await listed(client);
  return fleet.filter(({ dev_eui }) => !known.has(dev_eui));
}

/** The place of a job that creates one device after the other. */
export async function placeOf(world: JobWorld): Promise<number> {
  return ((await world.checkpoint.load()) as { done: number } | undefined)?.done ?? 0;
}

/** Creates one device after the other. Only the one that was in progress is looked up when it resumes. */
export async function createInOrder(
  world: JobWorld,
  save: (place: { done: number }) => unknown,
): Promise<void> {
  const client = connect(world);
  let at = await placeOf(world);
  const inProgress = fleet[at];
  if (inProgress !== undefined && (await listed(client)).has(inProgress.dev_eui))
    await save({ done: ++at });
  for (const device of fleet.slice(at)) {
    await client.devices.create(device);
    await save({ done: ++at });
  }
}

export function isUnknown(error: unknown): boolean {
  return error instanceof CallError && (error.outcome === "unknown" || error.outcome === "applied");
}

export const euiOf = ({ dev_eui }: NewDevice): string => dev_eui;
