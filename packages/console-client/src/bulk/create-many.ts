import { memberOf } from "@fieldmesh/core";
import type { CallOptions } from "@fieldmesh/http";
import type { DeviceBatch, NewDevice } from "../device.ts";
import { MAX_BATCH } from "../fields.ts";
import { BulkError } from "./bulk-error.ts";
import type { BulkProgress, BulkResults, CreateManyOptions, CreateManyRun } from "./bulk-types.ts";
import type { BulkTarget } from "./checkpoint.ts";
import { take } from "./chunks.ts";
import type { ListDevices } from "./device-list.ts";
import { readDevice, type PendingDevice } from "./new-device.ts";
import { lookForDevices, readIds } from "./created-devices.ts";
import { sendBatch } from "./send-batch.ts";
import { startRun } from "./start-run.ts";
import type { Verb } from "./verb.ts";

/** The method that creates many devices. */
export interface BulkCreation {
  /**
   * Create any number of devices, in requests of up to 1,000. Every device of the input gets exactly one result: `created`,
   * `skipped`, `failed` or `unknown`.
   *
   * A broken request is not simply sent again. After `settleTime`, the run reads the device list once for all broken requests,
   * and matches devices by dev_eui, app_eui and app_key. It sends a device again only if two lists, `settleTime` apart, do not
   * contain it. A list that lacks a device which certainly exists does not count. After a timeout, the server may still be
   * working, so missing devices end as `unknown` and are not sent again. A device that was sent before and is then rejected as
   * taken is `unknown` too, unless the list contains it. A device that occurs twice in the input is sent once. After a stop or a
   * kill, a run resumes from its last `onCheckpoint`.
   *
   * Two cases remain. If the console allows duplicates, a device can be created twice: by a server that works on a reset request
   * for longer than `settleTime`, or by a device list that is delayed for twice as long and lacks none of the run's other
   * devices. And a device that already existed with the same key counts as created if its request broke.
   *
   * @throws A {@link BulkError} for a failure that would affect every other request. It says where to resume
   * @throws A TypeError, before anything is sent, for invalid options and for a checkpoint of another run
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
  /** The client checks rules that only running deployments enforce. */
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
  const ifExists = memberOf(options, "ifExists");
  if (ifExists !== undefined && ifExists !== "skip")
    throw new TypeError('ifExists must be "skip", or omitted to send every device.');
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
  /** The keys of devices that were certainly created. They contain the keys of devices, so nothing prints them. */
  const known = new Set<string>();
  return {
    method: METHOD,
    statuses: ["created", "failed", "unknown", "skipped"],
    duplicate: "dev_eui: the same device precedes it in the input",
    readInput: (device, index) => readDevice(device, index, observedRules),
    async prepare(chunk, context) {
      if (!skips) return;
      const read = async () => await readIds(list, context);
      const ids = (existing ??= await context.traceStep("prepare", 0, read));
      take(chunk, ({ facts, key }) => {
        const id = ids.get(key);
        return id === undefined ? undefined : { status: "skipped", ...facts, id };
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
          method: METHOD,
          progress: progress as BulkProgress,
          ...state,
          results: results as BulkResults,
        },
        happened,
        cause,
      ),
  };
}
