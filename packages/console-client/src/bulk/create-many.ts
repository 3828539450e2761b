import type { CallOptions } from "@fieldmesh/http";
import type { DeviceBatch, NewDevice } from "../device.ts";
import { MAX_BATCH } from "../fields.ts";
import { BulkError } from "./bulk-error.ts";
import type { BulkProgress, BulkResults, CreateManyOptions, CreateManyRun } from "./bulk-types.ts";
import type { BulkTarget } from "./checkpoint.ts";
import { take } from "./chunks.ts";
import type { ListDevices } from "./device-list.ts";
import { readDevice, type PendingDevice } from "./new-device.ts";
import { readBack, readIds } from "./read-back.ts";
import { sendBatch } from "./send-batch.ts";
import { startRun } from "./start-run.ts";
import type { Verb } from "./verb.ts";

/** The method over several rows of devices. */
export interface BulkCreation {
  /**
   * Create any number of devices, in requests of up to 1,000. Every device of the input has exactly one result:
   * `created`, `failed` or `unknown`.
   *
   * A request that breaks is not simply resent: after `settleTime` the device list is read, once for all broken requests,
   * devices are matched by dev_eui, app_eui and app_key, and only missing devices are sent. After a time-out the server
   * may still be working, so missing devices end as `unknown` and are not sent. A device that is in the input twice is
   * sent once. After a stop or a kill, a run resumes from its last `onCheckpoint`.
   *
   * What it cannot promise: where the console allows duplicates, a server that works on a reset request for longer than
   * `settleTime` can create a device twice; and a device that existed before, with the same key, counts as created when
   * its request broke.
   *
   * @throws A {@link BulkError} for a failure that would hit every other request; it says where to resume
   * @throws A TypeError, before anything is sent, for options that cannot work and for a checkpoint of another run
   * @example
   * ```ts
   * const report = await client.devices.createMany(devices, { onProgress: ({ settled }) => console.log(settled) });
   * for (const { index, error } of report.results.failed) console.error(`row ${index + 1}: ${error}`);
   * ```
   */
  createMany(
    devices: Iterable<NewDevice> | AsyncIterable<NewDevice>,
    options?: CreateManyOptions,
  ): CreateManyRun;
}

/** The methods of the client that a run calls. */
export interface CreateMethods {
  readonly list: ListDevices;
  /** Reads where the client creates devices. */
  readonly target: (options: CallOptions) => Promise<BulkTarget>;
  readonly createBatch: (
    input: { devices: NewDevice[] },
    options: CallOptions,
  ) => Promise<DeviceBatch>;
  /** The client checks rules that only running deployments have. */
  readonly observedRules: boolean;
}

const METHOD = "devices.createMany";
const DEFAULTS = { timeout: 120_000, leastChunk: 100, mostChunk: MAX_BATCH, options: ["ifExists"] };

/** Creates the run of `devices.createMany`. */
export function createMany(
  methods: CreateMethods,
  devices: Iterable<NewDevice> | AsyncIterable<NewDevice>,
  options: CreateManyOptions = {},
): CreateManyRun {
  const { ifExists } = options;
  if (ifExists !== undefined && ifExists !== "skip")
    throw new TypeError('ifExists must be "skip", or be left out to send every device.');
  return startRun({
    verb: creation(methods, ifExists === "skip"),
    inputs: devices,
    options,
    defaults: DEFAULTS,
    readTarget: methods.target,
  }) as CreateManyRun;
}

function creation(
  { list, createBatch, observedRules }: CreateMethods,
  skips: boolean,
): Verb<PendingDevice> {
  /** Read once, before the first chunk is sent. */
  let existing: ReadonlyMap<string, string> | undefined;
  return {
    method: METHOD,
    statuses: ["created", "failed", "unknown", "skipped"],
    duplicate: "dev_eui: the same device stands in the input before",
    readInput: (device, index) => readDevice(device, index, observedRules),
    async prepare(chunk, context) {
      if (!skips) return;
      const ids = (existing ??= await readIds(list, context));
      take(chunk, ({ facts, key }) => {
        const id = ids.get(key);
        return id === undefined ? undefined : { status: "skipped", ...facts, id };
      });
    },
    send: (batch, context) => sendBatch(createBatch, batch, context),
    readBack: (chunks, context) => readBack(list, chunks, context),
    chunksAtOnce: ({ concurrency }) => concurrency,
    toError: ({ progress, checkpoint, results }, happened, cause) =>
      new BulkError(
        {
          method: METHOD,
          progress: progress as BulkProgress,
          checkpoint,
          results: results as BulkResults,
        },
        happened,
        cause,
      ),
  };
}
