// A console, a client and devices for the tests of bulk runs.
import {
  createConsoleClient,
  type CreateManyOptions,
  type NewDevice,
} from "../../packages/console-client/src/index.ts";
import { expect } from "vitest";
import { afterItsTime } from "./after-its-time.ts";
import { createSandbox, type FaultScript, type Sandbox } from "../../packages/sandbox/src/index.ts";

export const KEY = "00112233445566778899AABBCCDDEEFF";
export const QUICK = { chunkSize: 10, settleTime: 1 } as const;

export function device(index: number, change: Partial<NewDevice> = {}): NewDevice {
  const dev_eui = index.toString(16).toUpperCase().padStart(15, "0").padStart(16, "A");
  return { name: `Device ${index}`, dev_eui, app_eui: "70B3D57ED0010001", app_key: KEY, ...change };
}

export const fleet = (count: number): NewDevice[] =>
  Array.from({ length: count }, (_, index) => device(index));

export function connect({ apiKey, console: { baseUrl, fetch } }: Sandbox, observedRules = true) {
  return createConsoleClient({ baseUrl, fetch, apiKey, observedRules, retry: { baseDelay: 1 } });
}

export function start(faults?: FaultScript, duplicates: "rejected" | "allowed" = "allowed") {
  const sandbox = createSandbox({ faults, console: { data: "empty", duplicates } });
  const client = connect(sandbox);
  const create = (
    devices: Parameters<typeof client.devices.createMany>[0],
    options: CreateManyOptions = {},
  ) => {
    const checkpoint = afterItsTime(options.checkpoint);
    return client.devices.createMany(devices, { ...QUICK, ...options, checkpoint });
  };
  return {
    sandbox,
    client,
    create,
    batches: () => sandbox.log.requests("devices.createBatch").length,
  };
}

export const held = ({ console: { state } }: Sandbox): string[] =>
  [...state.devices.values()].map(({ dev_eui }) => dev_eui);

export async function failureOf(run: PromiseLike<unknown>): Promise<Error> {
  return await run.then(
    () => expect.unreachable(),
    (error: unknown) => error as Error,
  );
}
