// Why it is so: docs/decisions/14-bulk-create.md
import { mistake } from "@fieldmesh/core/internal";
import type { NewDevice } from "../device.ts";
import { MAX_BATCH } from "../fields.ts";
import type { BulkDefaults } from "./run/bulk-settings.ts";
import type { CreateManyOptions, CreateManyRun } from "./run/bulk-types.ts";
import type { CreateMethods } from "./create/create-many-run.ts";
import { startRun, type ReadTarget } from "./run/start-run.ts";

/** The method that creates many devices. */
export interface BulkCreation {
  /**
   * Create any number of devices, in requests of up to 1,000. Every device of the input gets exactly one result: `created`,
   * `skipped`, `failed` or `unknown`.
   *
   * After a response with a 2xx status, no device of the request is sent again. A device that the response does not name is looked
   * up, and otherwise `unknown`. Devices are matched by dev_eui and app_eui, and by app_key if several have the same EUIs. What
   * the console writes in another form is reported to `onDrift`.
   *
   * A broken request is not simply sent again. After `settleTime`, the run reads the device list once for all broken requests. It sends a device again only if two lists, `settleTime` apart, do not
   * contain it. A list that lacks a device which certainly exists does not count. After a timeout, an abort or a kill, the server may still be
   * working, so missing devices end as `unknown` and are not sent again. A device that was sent before and is then rejected as
   * taken is `unknown` too, unless the list contains it. A device that occurs twice in the input is sent once. After a stop or a
   * kill, a run resumes from its last `onCheckpoint`.
   *
   * Two cases remain. If the console allows duplicates, a device can be created twice: by a server that works on a reset request
   * for longer than `settleTime`, or by a device list that is delayed for twice as long and lacks none of the run's other
   * devices. And a device that already existed with the same key counts as created if its request broke.
   *
   * @throws A {@link BulkError} for a failure that would affect every other request. It says where to resume
   * @throws A TypeError for invalid options, and a `CheckpointError` for a checkpoint of another run, before anything is sent
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

const DEFAULTS: BulkDefaults = {
  timeout: 120_000,
  leastChunk: 100,
  mostChunk: MAX_BATCH,
  table: {
    ifExists(value) {
      if (value === "skip") return value;
      throw mistake('ifExists must be "skip", or omitted to send every device.');
    },
  },
};

/** Creates the run of `devices.createMany`. `readTarget` reads where the client creates devices. */
export function createMany(
  methods: CreateMethods,
  readTarget: ReadTarget,
  inputs: Iterable<NewDevice> | AsyncIterable<NewDevice>,
  given?: CreateManyOptions,
): CreateManyRun {
  return startRun(
    { method: "devices.createMany", inputs, given, defaults: DEFAULTS, readTarget },
    async (start) => (await import("./runs.ts")).createDevices(start, methods),
  ) as CreateManyRun;
}
