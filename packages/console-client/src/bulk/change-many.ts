import type { CallOptions } from "@fieldmesh/http";
import { BulkChangeError } from "./bulk-error.ts";
import { changes, type ChangeMethods, type ChangeRow, type PendingChange } from "./changes.ts";
import type {
  ChangeManyOptions,
  ChangeManyRun,
  ChangeProgress,
  ChangeResults,
} from "./change-types.ts";
import type { BulkTarget } from "./checkpoint.ts";
import type { ListDevices } from "./device-list.ts";
import { lookForChanges, readChange, sendChanges, type KnownDevices } from "./send-changes.ts";
import { startRun } from "./start-run.ts";
import type { Verb } from "./verb.ts";

/** Methods that change any number of devices, with one request for each. */
export interface BulkChanges {
  /**
   * Delete any number of devices. Each device of the input gets exactly one result: `done`, `failed` or `unknown`. The input may
   * be the records of `devices.list`.
   *
   * After broken requests, the run waits for `settleTime`, reads the device list once for all of them, and sends them again. A
   * device that is no longer in the list is `done` when the console also responds with 404, or when a second list agrees. Some
   * lists do not count: an empty one, one that still contains other devices that this run has deleted, and one that lacks devices
   * that an earlier list contained. After a stop or a kill, a run resumes from its last `onCheckpoint`.
   *
   * @throws A {@link BulkChangeError} for a failure that would affect every other request. It says where to resume
   * @throws A TypeError, before anything is sent, for invalid options and for a checkpoint of another run
   * @example
   * ```ts
   * const silent = (await client.devices.list()).filter((device) => device.last_connected == null);
   * const { done, results } = await client.devices.deleteMany(silent);
   * ```
   */
  deleteMany(
    devices: Inputs<{
      /** The id of the device: a UUID. */
      readonly id: string;
    }>,
    options?: ChangeManyOptions,
  ): ChangeManyRun;

  /**
   * Activate or deactivate any number of devices. It works like `deleteMany`. For all devices of a label, use `labels.setActive`.
   *
   * @throws A {@link BulkChangeError} for a failure that would affect every other request. It says where to resume
   * @throws A TypeError, before anything is sent, for invalid options and for a checkpoint of another run
   * @example
   * ```ts
   * await client.devices.setActiveMany(ids.map((device_id) => ({ device_id, active: false })));
   * ```
   */
  setActiveMany(
    changes: Inputs<{
      /** The id of the device: a UUID. */
      readonly device_id: string;
      /** `true` to activate, `false` to deactivate. */
      readonly active: boolean;
    }>,
    options?: ChangeManyOptions,
  ): ChangeManyRun;

  /**
   * Add any number of devices to labels. A request that timed out is not sent again. If its device is not in the label then, it
   * is `unknown`.
   *
   * @throws A {@link BulkChangeError} for a failure that would affect every other request. It says where to resume
   * @throws A TypeError, before anything is sent, for invalid options and for a checkpoint of another run
   * @example
   * ```ts
   * await client.devices.addLabelMany(ids.map((device_id) => ({ device_id, label: label.id })));
   * ```
   */
  addLabelMany(
    changes: Inputs<{
      /** The id of the device: a UUID. */
      readonly device_id: string;
      /** The id of the label: a UUID. */
      readonly label: string;
    }>,
    options?: ChangeManyOptions,
  ): ChangeManyRun;

  /**
   * Remove any number of devices from labels. A device that is not in the label is `done` if the console says so (observed).
   *
   * @throws A {@link BulkChangeError} for a failure that would affect every other request. It says where to resume
   * @throws A TypeError, before anything is sent, for invalid options and for a checkpoint of another run
   * @example
   * ```ts
   * await client.devices.removeLabelMany(ids.map((device_id) => ({ device_id, label_id: label.id })));
   * ```
   */
  removeLabelMany(
    changes: Inputs<{
      /** The id of the device: a UUID. */
      readonly device_id: string;
      /** The id of the label: a UUID. */
      readonly label_id: string;
    }>,
    options?: ChangeManyOptions,
  ): ChangeManyRun;
}

type Inputs<T> = Iterable<T> | AsyncIterable<T>;

const DEFAULTS = { timeout: 30_000, leastChunk: 10, mostChunk: 100, options: [] };

/** Creates the methods of {@link BulkChanges}. */
export function bindChanges(
  methods: ChangeMethods & { readonly list: ListDevices },
  readTarget: (options: CallOptions) => Promise<BulkTarget>,
): BulkChanges {
  const bindRow =
    <Input>(row: ChangeRow) =>
    (inputs: Inputs<Input>, options: ChangeManyOptions = {}): ChangeManyRun =>
      startRun({
        verb: changeOf(row, methods),
        inputs,
        options,
        defaults: DEFAULTS,
        readTarget,
      }) as ChangeManyRun;
  return {
    deleteMany: bindRow(changes.deleteMany),
    setActiveMany: bindRow(changes.setActiveMany),
    addLabelMany: bindRow(changes.addLabelMany),
    removeLabelMany: bindRow(changes.removeLabelMany),
  };
}

function changeOf(
  row: ChangeRow,
  methods: ChangeMethods & { readonly list: ListDevices },
): Verb<PendingChange> {
  const { method } = row;
  const known: KnownDevices = { done: [], shown: new Set(), sent: new Set() };
  return {
    method,
    statuses: ["done", "failed", "unknown"],
    duplicate: "the same device precedes it in the input",
    readInput: (input, index) => readChange(row, input, index),
    send: (batch, context) => {
      for (const { facts } of batch) known.sent.add(facts.device_id.toLowerCase());
      return sendChanges(row, methods, batch, context);
    },
    know: (done) => void known.done.push(...done),
    look: (chunks, context) => lookForChanges(row, methods.list, { known, chunks }, context),
    repeatable: row.repeatable,
    // The requests of a chunk already run in parallel.
    chunksAtOnce: () => 1,
    toError: ({ progress, results, ...state }, happened, cause) =>
      new BulkChangeError(
        {
          method,
          progress: progress as ChangeProgress,
          ...state,
          results: results as ChangeResults,
        },
        happened,
        cause,
      ),
  };
}
