import type { DeviceBatch, NewDevice } from "../device.ts";
import { BulkError } from "./bulk-error.ts";
import { take } from "./chunks.ts";
import { createRun } from "./create-run.ts";
import { foundOf, lookForDevices } from "./created-devices.ts";
import { readList, type EachDevice } from "./device-list.ts";
import { readDevice } from "./new-device.ts";
import type { PendingDevice } from "./pending-device.ts";
import { sendBatch } from "./send-batch.ts";
import type { How } from "./send-patiently.ts";
import {
  createFormCheck,
  readShown,
  type ReportDrift,
  type ShownDevices,
} from "./shown-devices.ts";
import type { SharedRun } from "./shared-run.ts";
import type { CheckedStart } from "./start-run.ts";
import type { AnyResult, Verb } from "./verb.ts";

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
  // It and `keys` contain the keys of devices, so nothing prints them.
  const created = new Map<string, string>();
  /** The key of the only device of the input with these EUIs. `undefined` if several have them. */
  const keys = new Map<string, string | undefined>();
  const isOnly = (pair: string): boolean => keys.get(pair) !== undefined;
  const checkForm = createFormCheck(reportDrift);
  return {
    method,
    statuses: ["created", "failed", "unknown", "skipped"],
    duplicate: "dev_eui: the same device precedes it in the input",
    readInput(input, index) {
      const device = readDevice(input, index, observedRules);
      if ("pair" in device) {
        const { pair, key } = device;
        keys.set(pair, !keys.has(pair) || keys.get(pair) === key ? key : undefined);
      }
      return device;
    },
    async prepare(chunk, context) {
      if (options.ifExists !== "skip") return;
      const read = async () => await readList(each, context, () => readShown(isOnly));
      existing ??= await context.traceStep("prepare", 0, read);
      const shown = existing;
      take(chunk, (device) => foundOf(shown, device, "skipped", checkForm));
    },
    send: (batch, context) => sendBatch(createBatch, batch, context, checkForm),
    know: (devices) => {
      for (const { key, pair } of devices) created.set(key, pair);
    },
    look: (chunks, context) =>
      lookForDevices(each, { isOnly, created, checkForm }, chunks, context),
    // If the console allows duplicates, the second request creates a second device.
    repeatable: false,
    chunksAtOnce: ({ concurrency }) => concurrency,
    toError: (state, happened, cause) => new BulkError(state, happened, cause),
  };
}
