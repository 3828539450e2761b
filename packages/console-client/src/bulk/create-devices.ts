import type { CallOptions } from "@fieldmesh/http";
import type { DeviceBatch, NewDevice } from "../device.ts";
import { BulkError } from "./bulk-error.ts";
import type { BulkProgress, BulkResults } from "./bulk-types.ts";
import { take } from "./chunks.ts";
import { createRun } from "./create-run.ts";
import { lookForDevices, readIds } from "./created-devices.ts";
import type { ListDevices } from "./device-list.ts";
import { readDevice, type PendingDevice } from "./new-device.ts";
import { sendBatch } from "./send-batch.ts";
import type { SharedRun } from "./shared-run.ts";
import type { CheckedStart } from "./start-run.ts";
import type { AnyResult, Verb } from "./verb.ts";

/** The methods of the client that a run calls. */
export interface CreateMethods {
  readonly list: ListDevices;
  readonly createBatch: (
    input: { devices: NewDevice[] },
    options: CallOptions,
  ) => Promise<DeviceBatch>;
  /** The client checks rules that only running deployments enforce. */
  readonly observedRules: boolean;
}

/** Creates the run of `devices.createMany`. */
export function createDevices(
  start: CheckedStart,
  methods: CreateMethods,
  skips: boolean,
): SharedRun<AnyResult, unknown> {
  return createRun(start, creation(start.method, methods, skips));
}

function creation(
  method: string,
  { list, createBatch, observedRules }: CreateMethods,
  skips: boolean,
): Verb<PendingDevice> {
  /** Read once, before the first chunk is sent. */
  let existing: ReadonlyMap<string, string> | undefined;
  /** The keys of devices that were certainly created. They contain the keys of devices, so nothing prints them. */
  const known = new Set<string>();
  return {
    method,
    statuses: ["created", "failed", "unknown", "skipped"],
    duplicate: "dev_eui: the same device precedes it in the input",
    readInput: (device, index) => readDevice(device, index, observedRules),
    async prepare(chunk, context) {
      if (!skips) return;
      const read = async () => await readIds(list, context);
      const ids = (existing ??= await context.traceStep("prepare", 0, read));
      take(chunk, ({ identity, key }) => {
        const id = ids.get(key);
        return id === undefined ? undefined : { status: "skipped", ...identity, id };
      });
    },
    send: (batch, context) => sendBatch(createBatch, batch, context),
    know: (devices) => {
      for (const { key } of devices) known.add(key);
    },
    look: (chunks, context) => lookForDevices(list, known, chunks, context),
    // If the console allows duplicates, the second request creates a second device.
    repeatable: false,
    chunksAtOnce: ({ concurrency }) => concurrency,
    toError: ({ progress, results, ...state }, happened, cause) =>
      new BulkError(
        {
          method,
          progress: progress as BulkProgress,
          ...state,
          results: results as BulkResults,
        },
        happened,
        cause,
      ),
  };
}
