import { isEui } from "./cells.ts";

/**
 * Beginnings of EUIs of common vendors of LoRaWAN devices, as the IEEE assigns them. A list of a few is enough: it says that bytes are
 * reversed, and that zeros cannot be what is missing at the beginning.
 */
const PREFIXES = [
  "0004A3", // Microchip
  "00137A", // Netvox
  "0018B2", // Adeunis
  "009569", // LSD
  "24E124", // Milesight
  "2CF7F1", // Seeed
  "58A0CB", // Browan, TrackNet
  "60C5A8", // RAKwireless
  "647FDA", // Tektelic
  "70B3D5", // many: blocks of 4,096 addresses, and those of The Things Network
  "8CF957", // RisingHF
  "A81758", // ELSYS
  "A84041", // Dragino
  "AC1F09", // RAKwireless
  "C0EE40", // Laird
];

/** Tells whether the digits of an EUI, also of an incomplete one, begin as those of a known vendor. */
export function isOfVendor(digits: string): boolean {
  const begin = digits.toUpperCase();
  return PREFIXES.some((prefix) => begin.startsWith(prefix));
}

/** The EUIs of a device. */
export interface Euis {
  readonly dev_eui: string;
  readonly app_eui: string;
}

/**
 * Returns the EUIs whose bytes are reversed, in their usual order. A program that reverses one EUI of a row reverses both. With
 * `isTyped`, the app_eui is not from that program.
 */
export function usualOrder({ dev_eui, app_eui }: Euis, isTyped = false): Partial<Euis> {
  const isDevReversed = isReversed(dev_eui);
  const isAppReversed =
    isReversed(app_eui) || (isDevReversed && !isTyped && isEui(app_eui) && !isOfVendor(app_eui));
  return {
    ...(isDevReversed && { dev_eui: reverseBytes(dev_eui) }),
    ...(isAppReversed && { app_eui: reverseBytes(app_eui) }),
  };
}

/** Tells whether the bytes of an EUI are reversed: only its end is the prefix of a known vendor. */
function isReversed(eui: string): boolean {
  return isEui(eui) && !isOfVendor(eui) && isOfVendor(reverseBytes(eui));
}

function reverseBytes(eui: string): string {
  return eui.match(/../g)?.toReversed().join("") ?? "";
}
