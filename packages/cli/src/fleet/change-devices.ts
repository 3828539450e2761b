import type {
  ChangeManyOptions,
  ChangeManyRun,
  ChangeProgress,
  Device,
  Devices,
} from "@fieldmesh/console-client";
import type { Input, Run } from "../command.ts";
import type { Context } from "../context.ts";
import { confirm } from "../confirm.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { printFirst } from "../output/output.ts";
import { countOf } from "./plan/count-of.ts";
import { findLabel } from "./label-ids.ts";
import { argument, settleTimeOf } from "./options.ts";
import { runBulk } from "./runs/run-bulk.ts";
import { inWordsOfAShell } from "../shell-words.ts";
import { hasLabel } from "./runs/read-devices.ts";
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
  await change(context, input, async () => {
    const label = await findLabel(context, input, name, { mayCreate: true });
    return {
      verb: `Add the label ${JSON.stringify(name)} to`,
      isDone: hasLabel(label),
      start(client, devices, options) {
        const changes = devices.map(({ id }) => ({ device_id: id, label }));
        return client.addLabelMany(changes, options);
      },
    };
  });
}

export async function runUnlabel(context: Context, input: Input): Promise<void> {
  const name = argument(input, 0);
  await change(context, input, async () => {
    const label_id = await findLabel(context, input, name);
    return {
      verb: `Remove the label ${JSON.stringify(name)} from`,
      isDone: ({ labels }) => labels.every(({ id }) => id !== label_id),
      start(client, devices, options) {
        const changes = devices.map(({ id }) => ({ device_id: id, label_id }));
        return client.removeLabelMany(changes, options);
      },
    };
  });
}

export const runActivate: Run = (context, input) => change(context, input, () => activation(true));

export const runDeactivate: Run = (context, input) =>
  change(context, input, () => activation(false));

export async function runDelete(context: Context, input: Input): Promise<void> {
  await change(context, input, () => ({
    verb: "Delete",
    isDone: () => false,
    start: (client, devices, options) => client.deleteMany(devices, options),
    removes: true,
  }));
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

/** Skips what is already done, so that a second run resumes the first. The file is read first, before a label is created. */
async function change(
  context: Context,
  input: Input,
  prepare: () => Change | Promise<Change>,
): Promise<void> {
  const { output } = context;
  const { devices, wrong, missing } = await selectDevices(context, input);
  const { verb, isDone, start, removes } = await prepare();
  const open = devices.filter((device) => !isDone(device));
  const unchanged = devices.length - open.length;
  for (const lines of [wrong, missing])
    await printFirst((line) => output.note(line), lines, "more");
  if (open.length > 0) await confirm(context, `${verb} ${countOf(open.length, "device")}?`);
  const client = await context.client("console");
  const not_found = missing.length;
  const record = ({ done, failed, unknown, unsettled }: ChangeProgress): Promise<void> => {
    const numbers = { failed: failed + wrong.length, unknown, unsettled };
    return output.record({ done, unchanged, not_found, ...numbers });
  };
  const report = await runBulk(context, {
    what: `${verb} devices`,
    total: open.length,
    record,
    start: (options) =>
      start(client.devices, open, { ...options, settleTime: settleTimeOf(input) }),
  });
  const { failed, unknown, results } = report;
  const failures = [...results.failed, ...results.unknown].map(
    ({ index, error }) => `${open[index]?.dev_eui}: ${inWordsOfAShell(error)}`,
  );
  await printFirst((line) => output.note(line), failures, "more");
  await record(report);
  const advice = [
    adviceAfter(failed + unknown),
    adviceFor(wrong.length + (removes === true ? 0 : not_found)),
  ].filter((sentence) => sentence !== undefined);
  if (advice.length > 0)
    throw new CliError(advice.join(" "), unknown > 0 ? exitCodes.unknown : exitCodes.failed);
}

function adviceAfter(failures: number): string | undefined {
  if (failures === 0) return undefined;
  return `${countOf(failures, "device")} could not be changed. Run the same command again. It skips the devices that are done.`;
}

function adviceFor(lines: number): string | undefined {
  if (lines === 0) return undefined;
  return lines === 1
    ? "1 line of the file does not match exactly one device of the console. Correct it."
    : `${lines} lines of the file do not match exactly one device each. Correct them.`;
}
