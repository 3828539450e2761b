import type { AnyRecord } from "@fieldmesh/core/internal";
import type { MappingField } from "./fields.ts";

/** The names of the fields in common decoders. They are tried in this order. */
export const NAMES: Readonly<Record<MappingField, readonly string[]>> = {
  latitude: ["latitude", "latitud", "lattitude", "lat"],
  longitude: ["longitude", "longitud", "lng", "lon", "long"],
  altitude: ["altitude", "altitud", "alt"],
  accuracy: ["accuracy", "acc", "hdop"],
};

/** How a name begins that spells a field out, in any spelling. */
const SPELLED_OUT: Readonly<Record<MappingField, RegExp>> = {
  latitude: /^lat+it/,
  longitude: /^long?it/,
  altitude: /^alt+it/,
  accuracy: /^ac+ura/,
};

/** Returns a name without its case, its separators, and a word that says where the value is from: `gps_lat` is `lat`. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .replace(/^(gps|gnss|position|horizontal)(?=.)/, "");
}

/** Tells whether a name spells a field out, in any spelling. */
export function isSpelledOut(field: MappingField, name: string): boolean {
  return SPELLED_OUT[field].test(plainName(name));
}

/** Decoders return strings from `toFixed`. Returns `undefined` for anything but a number. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const isNumber =
    typeof value === "bigint" ||
    (typeof value === "string" && /^\s*[-+]?\d+(\.\d+)?\s*$/.test(value));
  return isNumber ? Number(value) : undefined;
}

/** Finds a field at the top of a decoded payload. A value that is not a number is only returned if nothing else can be meant. */
export function findField(
  payload: AnyRecord,
  field: MappingField,
): [name: string, value: unknown] | undefined {
  const keys = Object.keys(payload)
    .filter((key) => payload[key] !== undefined)
    .map((key) => ({ key, plain: plainName(key) }));
  const isSpelled = (plain: string): boolean => SPELLED_OUT[field].test(plain);
  const hasSpelled = keys.some(({ plain }) => isSpelled(plain));
  const named = NAMES[field]
    .flatMap((alias) => {
      const same = keys.filter(({ plain }) => plain === alias);
      return [
        ...same.filter(({ key }) => key === alias),
        ...same.filter(({ key }) => key !== alias),
      ];
    })
    // Beside a name that is spelled out, `LON` is a LED of the device (observed).
    .filter(({ plain }) => !hasSpelled || isSpelled(plain) || plain === "hdop")
    .filter(({ key, plain }) => plain !== "lon" || !isLed(payload, payload[key]));
  const found =
    named.find(({ key }) => numberOf(payload[key]) !== undefined) ??
    named.find(({ key, plain }) => isMeant(payload[key], isSpelled(plain)));
  return found === undefined ? undefined : [found.key, payload[found.key]];
}

/** Tells whether a `LON` is a LED: no longitude is exactly 0 or 1, and a decoder spells both coordinates out or none. */
function isLed(payload: AnyRecord, value: unknown): boolean {
  const isFlag = value === 0 || value === 1;
  return isFlag && Object.keys(payload).some((each) => isSpelledOut("latitude", each));
}

/** Tells whether a value that is not a number must be a broken field, such as `47,3` in `lat`, and not a flag. */
function isMeant(value: unknown, isSpelled: boolean): boolean {
  if (typeof value === "string") return isSpelled || /\d/.test(value);
  return isSpelled && value !== null && typeof value !== "object";
}
