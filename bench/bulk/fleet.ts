import type { NewDevice } from "@fieldmesh/console-client";

const EUI_SEED_DIGITS = 4;
const EUI_INDEX_DIGITS = 12;
const KEY_DIGITS = 32;

/** A fleet of any size, one device at a time; the same seed makes the same devices. */
export function* makeFleet(count: number, seed: number): Generator<NewDevice, void, undefined> {
  for (let index = 0; index < count; index++) yield makeDevice(index, seed);
}

/** One device of a fleet. */
export function makeDevice(index: number, seed: number): NewDevice {
  const dev_eui = hex(seed, EUI_SEED_DIGITS) + hex(index, EUI_INDEX_DIGITS);
  return {
    name: `Device ${index}`,
    dev_eui,
    app_eui: "70B3D57ED0010001",
    app_key: (dev_eui + dev_eui).slice(0, KEY_DIGITS),
  };
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}
