import { hashText } from "@fieldmesh/core/internal";
import { OBSERVED_HINT } from "../../shell-words.ts";
import type { DeviceRow } from "./device-rows.ts";
import { sayLines } from "./group-problems.ts";

/** An earlier row with the same dev_eui. */
export interface Twin {
  readonly index: number;
  /** Its app_eui and app_key are the same, too. */
  readonly isEqual: boolean;
}

/** A row that breaks another rule of these fields has its own problem. */
const WHOLE = /^[0-9a-f]{64}$/i;

/**
 * Returns a function that finds the first row with the dev_eui of a row. It keeps one key for each device, about 100 bytes. Without
 * the observed rules, devices with different keys may share a dev_eui.
 */
export function createTwinFinder(
  observedRules: boolean,
): (row: DeviceRow, index: number) => Twin | undefined {
  const firstIndex = new Map<string, number>();
  /** The hashes of all app_euis and app_keys. */
  const hashes: number[] = [];
  return ({ device: { dev_eui, app_eui, app_key } }, index) => {
    const eui = dev_eui.toUpperCase();
    const hash = hashText([app_eui, app_key].join().toUpperCase());
    hashes.push(hash);
    if (!WHOLE.test(eui + app_eui + app_key)) return undefined;
    const key = observedRules ? eui : `${eui} ${hash}`;
    const first = firstIndex.get(key);
    if (first === undefined) firstIndex.set(key, index);
    return first === undefined ? undefined : { index: first, isEqual: hashes[first] === hash };
  };
}

/** Only the first row of a device counts, even if it fails. Otherwise a later row would replace the one that the user is about to correct. */
export function duplicateOf(line: number): string {
  return `the same device is in ${sayLines([line])} (delete one of them)`;
}

/** The words of the client, for a file. */
export function conflictWith(line: number): string {
  return `the device in ${sayLines([line])} has the same dev_eui, with another app_eui or app_key: correct the wrong one, or leave it out ${OBSERVED_HINT}`;
}
