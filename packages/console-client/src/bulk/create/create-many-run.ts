import type { DeviceBatch, NewDevice } from "../../device.ts";
import { BulkError } from "../run/bulk-error.ts";
import { take } from "../run/chunks.ts";
import { createRun } from "../run/create-run.ts";
import { foundOf, lookForDevices } from "../look/look-for-devices.ts";
import { readList, type EachDevice } from "../look/device-list.ts";
import { readDevice } from "./read-device.ts";
import { knowDevices } from "../look/known-devices.ts";
import type { PendingDevice } from "../look/pending-device.ts";
import { sendBatch } from "./send-batch.ts";
import type { How } from "../run/send-patiently.ts";
import {
  createFormCheck,
  readShown,
  type ReportDrift,
  type ShownDevices,
} from "../look/shown-devices.ts";
import type { SharedRun } from "../run/shared-run.ts";
import type { CheckedStart } from "../run/start-run.ts";
import type { AnyResult, Verb } from "../run/run-parts.ts";

/** The methods of the client that a run calls. */
export interface CreateMethods {
  readonly each: EachDevice;
  readonly createBatch: (input: { devices: NewDevice[] }, ...how: How) => Promise<DeviceBatch>;
  /** The client checks rules that only running deployments enforce. */
  readonly observedRules: boolean;
  readonly reportDrift: ReportDrift;
}

/** Creates the run of `devices.createMany`. */
export function createDevices(
  start: CheckedStart,
  methods: CreateMethods,
): SharedRun<AnyResult, unknown> {
  return createRun(start, creation(start, methods));
}

function creation(
  { method, options }: CheckedStart,
  { each, createBatch, observedRules, reportDrift }: CreateMethods,
): Verb<PendingDevice> {
  /** Read once, before the first chunk is sent. */
  let existing: ShownDevices | undefined;
  const known = knowDevices(observedRules);
  const checkForm = createFormCheck(reportDrift);
  return {
    method,
    statuses: ["created", "failed", "unknown", "skipped"],
    survey: known.survey,
    readInput: (input, index) => readDevice(input, index, observedRules),
    exclude: known.exclude,
    async prepare(chunk, context) {
      if (options.ifExists !== "skip") return;
      const read = async () => await readList(each, context, () => readShown(known.isOnly));
      existing ??= await context.traceStep("prepare", 0, read);
      const shown = existing;
      // One that an earlier run of the checkpoint may have created is looked up.
      take(chunk, (device) =>
        device.doubt === undefined ? foundOf(shown, device, "skipped", checkForm) : undefined,
      );
    },
    send: (batch, context) => sendBatch(createBatch, batch, context, checkForm),
    know: known.know,
    look: (chunks, context) => lookForDevices(each, known, checkForm, chunks, context),
    // If the console allows duplicates, the second request creates a second device.
    repeatable: false,
    chunksAtOnce: ({ concurrency }) => concurrency,
    toError: (state, happened, cause) => new BulkError(state, happened, cause),
  };
}
