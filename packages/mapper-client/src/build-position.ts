import {
  aString,
  isRecord,
  options,
  recordOf,
  trueOrFalse,
  type AnyRecord,
  type OptionTable,
} from "@fieldmesh/core/internal";
import type { Problem } from "@fieldmesh/http";
import { checkObservedField, checkStatedField } from "./check-position.ts";
import { FIELDS, type MappingField, type Position } from "./fields.ts";
import { checkKeep } from "./public-part.ts";

/** The names of the fields in common decoders. They are tried in this order, in any letter case. */
const ALIASES: Readonly<Record<MappingField, readonly string[]>> = {
  latitude: ["latitude", "lat"],
  longitude: ["longitude", "lng", "lon", "long"],
  altitude: ["altitude", "alt"],
  accuracy: ["accuracy", "acc", "hdop"],
};

/** Meters of accuracy: an estimate for consumer GPS receivers under open sky, which the map does not specify. */
const METERS_PER_HDOP = 5;

/** Options of the functions that build a submission. */
export interface BuildOptions {
  /**
   * Where the decoder puts a field that it names differently: a name, or a path with dots such as `gps.lat`.
   *
   * @default lat; lng, lon, long; alt; acc, hdop - in any letter case, if the field itself is missing
   */
  fields?: Readonly<Partial<Record<keyof Position, string>>> | undefined;
  /**
   * Rejects uplinks that only running deployments reject, such as a position of 0/0 or an uplink without hotspots (observed).
   * With `false`, only an uplink that the published spec does not accept is rejected.
   *
   * @default true - the message says why, while a deployment may respond with a plain 500 (observed)
   */
  observedRules?: boolean | undefined;
  /**
   * Further fields to submit, which the map then shows to everyone: paths with dots in the uplink that is submitted, such as
   * `decoded.payload.battery` or `object.battery`. Of a record, its fields are submitted too, except those whose names say that they
   * are secret or personal. In a list, a path applies to each item. A secret name cannot be kept.
   *
   * @default none - only the position, and the standard fields of an uplink
   */
  keep?: readonly string[] | undefined;
}

/** The checks of {@link BuildOptions}. */
export const buildTable: OptionTable<BuildOptions> = {
  fields: /* @__PURE__ */ options<NonNullable<BuildOptions["fields"]>>("fields", {
    latitude: aString,
    longitude: aString,
    altitude: aString,
    accuracy: aString,
  }),
  observedRules: trueOrFalse,
  keep: checkKeep,
};

/** Builds a position from a decoded payload. Accepts other names and numbers in strings, and fixes invalid altitudes. */
export function buildPosition(
  payload: AnyRecord,
  path: string,
  { fields = {}, observedRules }: BuildOptions,
) {
  const checkValue = observedRules === false ? checkStatedField : checkObservedField;
  const changes: string[] = [];
  const problems: Problem[] = [];
  const values: Partial<Record<MappingField, number>> = {};
  for (const field of FIELDS) {
    const found = find(payload, field, fields[field]);
    if (found === undefined) {
      const names = fields[field] ?? ALIASES[field].join(", ");
      problems.push({
        path: `${path}.${field}`,
        message: `is missing: the decoder returns none of ${names}`,
      });
      continue;
    }
    const [name, original] = found;
    let value = numberOf(original);
    if (value !== original && typeof value === "number")
      changes.push(`${field}: string was read as a number`);
    if (name !== field) changes.push(`${field}: taken from ${name}`);
    if (typeof value === "number" && /(^|\.)hdop$/i.test(name)) {
      value *= METERS_PER_HDOP;
      changes.push(`accuracy: ${METERS_PER_HDOP} m per unit of ${name}`);
    }
    if (field === "altitude" && typeof value === "number" && !Number.isInteger(value)) {
      // Avoids -0, which JSON writes differently.
      value = Math.round(value) + 0;
      changes.push("altitude: rounded to whole meters");
    }
    const message = checkValue(field, value);
    if (message === undefined) values[field] = value as number;
    else problems.push({ path: `${path}.${name}`, message });
  }
  const position = problems.length === 0 ? (values as Position) : undefined;
  return { position, changes, problems };
}

function find(
  payload: AnyRecord,
  field: MappingField,
  path: string | undefined,
): [name: string, value: unknown] | undefined {
  if (path !== undefined) {
    const value = path.split(".").reduce<unknown>((inner, key) => {
      const parent = recordOf(inner);
      return Object.hasOwn(parent, key) ? parent[key] : undefined;
    }, payload);
    return value == null ? undefined : [path, value];
  }
  for (const alias of ALIASES[field]) {
    const names = Object.keys(payload).filter(
      (key) => key.toLowerCase() === alias && payload[key] != null,
    );
    const name = names.includes(alias) ? alias : names[0];
    if (name !== undefined) return [name, payload[name]];
  }
  return undefined;
}

/** Decoders return strings from `toFixed`. Any other value is returned unchanged. */
function numberOf(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "string" && /^\s*[-+]?\d+(\.\d+)?\s*$/.test(value)
    ? Number(value)
    : value;
}

/** Tells whether anything was decoded. */
export function isDecoded(value: unknown): value is AnyRecord {
  return isRecord(value) && Object.keys(value).length > 0;
}
