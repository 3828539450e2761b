import { isSecret, recordOf, type AnyRecord } from "@fieldmesh/core/internal";
import type { Problem } from "@fieldmesh/http";
import type { DeviceReader } from "./device-list.ts";
import type { PendingDevice } from "./pending-device.ts";

/** Reports a part of a response that is not written as the contract says. */
export type ReportDrift = (
  context: { readonly call: string; readonly route: string },
  problems: readonly Problem[],
) => void;

const KEY_DIGITS = 32;

/** The text of a field that may have any type: with `validation: "off"`, it is what the console sent. */
function textOf(value: unknown): string {
  const text: unknown = isSecret(value) ? value.reveal() : value;
  return typeof text === "string" ? text : "";
}

/** Writes hexadecimal digits in one form. Services write them in either case, and with separators. */
export function hexOf(value: unknown): string {
  return textOf(value)
    .replaceAll(/[\s:-]/g, "")
    .toUpperCase();
}

/** Identifies a device by its two EUIs. */
export function pairOf({ dev_eui, app_eui }: AnyRecord): string {
  return hexOf(dev_eui) + hexOf(app_eui);
}

/** Identifies a device by its EUIs and its key. */
export function tripleOf(device: AnyRecord): string {
  return pairOf(device) + hexOf(device["app_key"]);
}

/** Returns the id that the console gave a device. Empty if the console, or a service before it, does not show it. */
export function idOf({ id }: AnyRecord): string {
  return textOf(id);
}

/** Whether a key is shown whole, so that another one means another device. A service may mask it with stars, zeros or nothing. */
export function isWholeKey(value: unknown): boolean {
  const key = hexOf(value);
  return /^[\dA-F]+$/.test(key) && key.length === KEY_DIGITS && new Set(key).size > 1;
}

/** Returns a function that finds the device of a record: by its EUIs, or by its key too if several have the same EUIs. */
export function createFinder(
  batch: readonly PendingDevice[],
): (record: AnyRecord) => PendingDevice | undefined {
  const byPair = Map.groupBy(batch, ({ pair }) => pair);
  return (record) => {
    const candidates = byPair.get(pairOf(record)) ?? [];
    return candidates.length === 1
      ? candidates[0]
      : candidates.find(({ key }) => key === tripleOf(record));
  };
}

/** What a device list shows. */
export interface ShownDevices {
  /** Finds a device in the list by its EUIs and key. If the list does not show whole keys, its EUIs must be unique in the input. */
  readonly find: (device: PendingDevice) => AnyRecord | undefined;
  /** Whether a record with an incomplete key may be this device or another one with the same EUIs. */
  readonly isUnclear: (device: PendingDevice) => boolean;
  /** A record cannot be read. It may be any device. */
  readonly hasUnreadable: () => boolean;
}

/** Reads the devices of a list. Keeps only records that may be wanted, because the list may be large. */
export function readShown(
  isOnly: (device: PendingDevice) => boolean,
  isWanted: (pair: string) => boolean = () => true,
): ShownDevices & DeviceReader {
  const byTriple = new Map<string, AnyRecord>();
  const byPair = new Map<string, AnyRecord>();
  let hasUnreadable = false;
  const find: ShownDevices["find"] = (device) =>
    byTriple.get(device.key) ?? (isOnly(device) ? byPair.get(device.pair) : undefined);
  return {
    add(device) {
      const { id, dev_eui, app_eui, app_key } = recordOf(device);
      const record = { id, dev_eui, app_eui, app_key };
      hasUnreadable ||= hexOf(dev_eui) === "" || hexOf(app_eui) === "";
      const pair = pairOf(record);
      if (!isWanted(pair)) return;
      if (isWholeKey(app_key)) byTriple.set(tripleOf(record), record);
      else byPair.set(pair, record);
    },
    find,
    isUnclear: (device) => byPair.has(device.pair) && find(device) === undefined,
    hasUnreadable: () => hasUnreadable,
  };
}

/** Compares what a response shows with what was sent. Reports each field that is written in another form once. */
export function createFormCheck(report: ReportDrift) {
  const reported = new Set<string>();
  return (
    response: { readonly call: string; readonly route: string; readonly list: string },
    shown: AnyRecord,
    { device }: PendingDevice,
  ): void => {
    const problems: Problem[] = [];
    for (const field of ["dev_eui", "app_eui", "app_key"] as const) {
      const path = `${response.list}[].${field}`;
      if (textOf(shown[field]) === textOf(device[field]) || reported.has(response.call + path))
        continue;
      reported.add(response.call + path);
      problems.push({ path, message: "is not written as it was sent" });
    }
    const { call, route } = response;
    if (problems.length > 0) report({ call, route }, problems);
  };
}

export type FormCheck = ReturnType<typeof createFormCheck>;
