import { hashText, memberOf, type AnyRecord } from "@fieldmesh/core/internal";
import { OBSERVED_ADVICE } from "@fieldmesh/http/internal";
import type { RunContext } from "../run/bulk-settings.ts";
import { failedOf } from "../run/chunks.ts";
import type { PendingDevice } from "./pending-device.ts";
import { hexOf, isWholeKey } from "./shown-devices.ts";
import type { AnyResult } from "../run/run-parts.ts";

/** A device of the input, as far as a run keeps it. */
interface Place {
  readonly index: number;
  readonly print: number;
}

type SurveyContext = Pick<RunContext, "clock" | "signal">;
export type KnownDevices = ReturnType<typeof knowDevices>;

/**
 * Keeps little of each device, because a run keeps it until its end: the dev_eui, whose string its result shares, its index, and a
 * hash of the other two values. With observed rules, no second device with the dev_eui is sent.
 */
export function knowDevices(observedRules: boolean) {
  /** The index of the only device with a dev_eui, or those of all that differ. */
  const places = new Map<string, number | number[]>();
  /** By the index of the input. */
  const prints: number[] = [];
  /** The few that were not certainly created, because most soon are. */
  const others = new Set<number>();
  let conflicts: ReadonlyMap<string, readonly Place[]> = new Map();
  const placesOf = (dev_eui: string): readonly number[] => [places.get(dev_eui) ?? []].flat();

  return {
    /** Reads all inputs before the run does. The first of two devices that exclude each other is then not sent either. */
    survey: async (inputs: AsyncIterable<unknown>, context: SurveyContext): Promise<void> => {
      if (observedRules) conflicts = await findConflicts(inputs, context);
    },

    /** Returns the failure of a device that another one excludes. */
    exclude: (device: PendingDevice): AnyResult | undefined => {
      const { index, identity } = device;
      const { dev_eui } = identity;
      const print = printOf(device.device);
      const other = conflicts.get(dev_eui)?.find((each) => each.print !== print);
      if (other !== undefined) return conflicting(device, other.index);
      const before = placesOf(dev_eui);
      const first = before.find((each) => prints[each] === print);
      if (first !== undefined)
        return failedOf(device, "duplicate", `${DUPLICATE}, at index ${first}`);
      const [another] = before;
      if (observedRules && another !== undefined) return conflicting(device, another);
      places.set(dev_eui, another === undefined ? index : [...before, index]);
      prints[index] = print;
      others.add(index);
      return undefined;
    },

    /** Whether no other device of the input has the same EUIs. */
    isOnly: ({ identity, index }: PendingDevice): boolean => {
      const own = partOf(prints[index]);
      return placesOf(identity.dev_eui).every(
        (each) => each === index || partOf(prints[each]) !== own,
      );
    },

    /** Notes devices that were certainly created. */
    know: (devices: readonly PendingDevice[]): void => {
      for (const { index } of devices) others.delete(index);
    },

    /** Returns the places of the devices that were certainly created. */
    created: (): Set<number> =>
      new Set(prints.flatMap((_, index) => (others.has(index) ? [] : index))),

    /** Returns the places of the devices that a record of the console may be. */
    placesOf: (record: AnyRecord): readonly number[] => {
      const { dev_eui, app_key } = record;
      const print = printOf(record);
      const isWhole = isWholeKey(app_key);
      return placesOf(hexOf(dev_eui)).filter((index) =>
        isWhole ? prints[index] === print : partOf(prints[index]) === partOf(print),
      );
    },
  };
}

const DUPLICATE = "dev_eui: the same device precedes it in the input";

function conflicting(device: PendingDevice, other: number): AnyResult {
  const what = `dev_eui: the device at index ${other} has the same one, with another app_eui or app_key`;
  return failedOf(
    device,
    "conflicting",
    `${what}: correct the wrong one, or leave it out ${OBSERVED_ADVICE}`,
  );
}

const PART = 2 ** 32;
const APP_EUI_BITS = 2 ** 21;

/** Hashes the other two values of a device into an integer: 21 bits of the app_eui, and 32 of the app_key. */
function printOf({ app_eui, app_key }: AnyRecord): number {
  return (hashText(hexOf(app_eui)) % APP_EUI_BITS) * PART + (hashText(hexOf(app_key)) % PART);
}

function partOf(print = 0): number {
  return Math.floor(print / PART);
}

const FORM = /^[\dA-F]{64}$/;
/** Devices after which other code runs. */
const TURN = 10_000;

/** Finds the devices of each dev_eui that occurs with several values. A row that breaks another rule counts too. */
async function findConflicts(
  inputs: AsyncIterable<unknown>,
  { clock, signal }: SurveyContext,
): Promise<Map<string, Place[]>> {
  const firsts = new Map<string, Place>();
  const conflicts = new Map<string, Place[]>();
  let index = 0;
  for await (const input of inputs) {
    const fields = ["dev_eui", "app_eui", "app_key"].map((name) => hexOf(memberOf(input, name)));
    const [dev_eui, app_eui, app_key] = fields as [string, string, string];
    if (FORM.test(fields.join(""))) {
      const place = { index, print: printOf({ app_eui, app_key }) };
      const first = firsts.get(dev_eui);
      if (first === undefined) firsts.set(dev_eui, place);
      else if (first.print !== place.print)
        conflicts.set(dev_eui, [...(conflicts.get(dev_eui) ?? [first]), place]);
    }
    index++;
    if (index % TURN === 0) await clock.sleep(1, signal);
  }
  return conflicts;
}
