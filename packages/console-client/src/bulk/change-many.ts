import type { BoundMethods } from "./change/change-many-run.ts";
import type { ChangeManyOptions, ChangeManyRun } from "./run/change-types.ts";
import { startRun, type ReadTarget } from "./run/start-run.ts";

/** Methods that change any number of devices, with one request for each. */
export interface BulkChanges {
  /**
   * Delete any number of devices. Each device of the input gets exactly one result: `done`, `failed` or `unknown`. The input may
   * be the records of `devices.list`.
   *
   * After broken requests, the run waits for `settleTime`, looks up their devices with `devices.get`, and sends them again. More
   * than 100 devices are searched in the device list. A device that does not exist any more is `done` when the console also
   * responds to a second request with 404, or when a second look agrees. A look does not count if it shows other devices that this
   * run has deleted. Some lists do not count either: an empty one, and one that lacks devices that an earlier list contained. After a stop or a kill, a run resumes from its last `onCheckpoint`.
   *
   * @throws A {@link BulkChangeError} for a failure that would affect every other request. It says where to resume
   * @throws A TypeError for invalid options, and a `CheckpointError` for a checkpoint of another run, before anything is sent
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
   * Activate or deactivate any number of devices. It works like `deleteMany`, and searches devices in the list only. For all devices of a label, use `labels.setActive`.
   *
   * @throws A {@link BulkChangeError} for a failure that would affect every other request. It says where to resume
   * @throws A TypeError for invalid options, and a `CheckpointError` for a checkpoint of another run, before anything is sent
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
   * Add any number of devices to labels. A request that timed out, or that a stopped run has left, is not sent again. If its device is not in the label then, it
   * is `unknown`.
   *
   * @throws A {@link BulkChangeError} for a failure that would affect every other request. It says where to resume
   * @throws A TypeError for invalid options, and a `CheckpointError` for a checkpoint of another run, before anything is sent
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
   * @throws A TypeError for invalid options, and a `CheckpointError` for a checkpoint of another run, before anything is sent
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

/** What a run reads its devices from. */
export type Inputs<T> = Iterable<T> | AsyncIterable<T>;

const DEFAULTS = { timeout: 30_000, leastChunk: 10, mostChunk: 100, table: {} };

/** Creates the methods of {@link BulkChanges}. `readTarget` reads where the client changes devices. */
export function bindChanges(methods: BoundMethods, readTarget: ReadTarget): BulkChanges {
  const bindName =
    <Input>(name: keyof BulkChanges) =>
    (inputs: Inputs<Input>, given?: ChangeManyOptions): ChangeManyRun =>
      startRun(
        { method: `devices.${name}`, inputs, given, defaults: DEFAULTS, readTarget },
        async (start) => (await import("./runs.ts")).changeDevices(start, name, methods),
      ) as ChangeManyRun;
  return {
    deleteMany: bindName("deleteMany"),
    setActiveMany: bindName("setActiveMany"),
    addLabelMany: bindName("addLabelMany"),
    removeLabelMany: bindName("removeLabelMany"),
  };
}
