import type { ChangeManyOptions, ChangeManyRun, Device, Devices } from "@fieldmesh/console-client";
import type { Input, Run } from "../command.ts";
import type { Context } from "../context.ts";
import { confirm } from "../confirm.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { printFirst } from "../output/print-first.ts";
import { countOf } from "./count-of.ts";
import { findLabel } from "./label-ids.ts";
import { argument, settleTimeOf } from "./options.ts";
import { runBulk } from "./run-bulk.ts";
import { inWordsOfAShell } from "../shell-words.ts";
import { hasLabel } from "./read-devices.ts";
import { selectDevices } from "./select-devices.ts";

/** One way to change many devices. */
interface Change {
  /** Such as `Deactivate`. */
  readonly verb: string;
  /** Tells whether a device already has the requested state. */
  readonly isDone: (device: Device) => boolean;
  readonly start: (
    client: Devices,
    devices: readonly Device[],
    options: ChangeManyOptions,
  ) => ChangeManyRun;
  /** Whether a missing device is already done. */
  readonly removes?: boolean;
}

export async function runLabel(context: Context, input: Input): Promise<void> {
  const name = argument(input, 0);
  const label = await findLabel(context, input, name, { mayCreate: true });
  await change(context, input, {
    verb: `Add the label ${JSON.stringify(name)} to`,
    isDone: hasLabel(label),
    start(client, devices, options) {
      const changes = devices.map(({ id }) => ({ device_id: id, label }));
      return client.addLabelMany(changes, options);
    },
  });
}

export async function runUnlabel(context: Context, input: Input): Promise<void> {
  const name = argument(input, 0);
  const label_id = await findLabel(context, input, name);
  await change(context, input, {
    verb: `Remove the label ${JSON.stringify(name)} from`,
    isDone: ({ labels }) => labels.every(({ id }) => id !== label_id),
    start(client, devices, options) {
      const changes = devices.map(({ id }) => ({ device_id: id, label_id }));
      return client.removeLabelMany(changes, options);
    },
  });
}

export const runActivate: Run = (context, input) => change(context, input, activation(true));

export const runDeactivate: Run = (context, input) => change(context, input, activation(false));

export async function runDelete(context: Context, input: Input): Promise<void> {
  await change(context, input, {
    verb: "Delete",
    isDone: () => false,
    start: (client, devices, options) => client.deleteMany(devices, options),
    removes: true,
  });
}

function activation(active: boolean): Change {
  return {
    verb: active ? "Activate" : "Deactivate",
    isDone: (device) => device.active === active,
    start(client, devices, options) {
      const changes = devices.map(({ id }) => ({ device_id: id, active }));
      return client.setActiveMany(changes, options);
    },
  };
}

/** Skips what is already done, so that a second run resumes the first. */
async function change(
  context: Context,
  input: Input,
  { verb, isDone, start, removes }: Change,
): Promise<void> {
  const { output } = context;
  const { devices, problems } = await selectDevices(context, input);
  const open = devices.filter((device) => !isDone(device));
  const unchanged = devices.length - open.length;
  await printFirst((line) => output.note(line), problems, "more");
  if (open.length > 0) await confirm(context, `${verb} ${countOf(open.length, "device")}?`);
  const client = await context.client("console");
  const { done, failed, unknown, results } = await runBulk(context, {
    what: `${verb} devices`,
    total: open.length,
    start: (options) =>
      start(client.devices, open, { ...options, settleTime: settleTimeOf(input) }),
  });
  const failures = [...results.failed, ...results.unknown].map(
    ({ index, error }) => `${open[index]?.dev_eui}: ${inWordsOfAShell(error)}`,
  );
  await printFirst((line) => output.note(line), failures, "more");
  await output.record({ done, unchanged, not_found: problems.length, failed, unknown });
  if (failed + unknown > 0)
    throw new CliError(
      `${countOf(failed + unknown, "device")} could not be changed. Run the same command again. It skips the devices that are done.`,
      unknown > 0 ? exitCodes.unknown : exitCodes.failed,
    );
  if (problems.length > 0 && removes !== true)
    throw new CliError(
      problems.length === 1
        ? "1 line of the file does not match exactly one device of the console. Correct it."
        : `${problems.length} lines of the file do not match exactly one device each. Correct them.`,
      exitCodes.failed,
    );
}
