import {
  check,
  options,
  recordOf,
  trueOrFalse,
  type AnyRecord,
  type OptionTable,
} from "@fieldmesh/core/internal";
import type { Problem } from "@fieldmesh/http";
import { checkHdop, checkObservedField, checkStatedField } from "./check-position.ts";
import { FIELDS, type MappingField, type Position } from "./fields.ts";
import { findField, numberOf, plainName } from "./find-field.ts";
import { checkKeep } from "./public-part.ts";
import { describeMissing } from "./missing-fields.ts";

/** Meters of accuracy: an estimate for consumer GPS receivers under open sky, which the map does not specify. */
const METERS_PER_HDOP = 5;

/** Options of the functions that build a submission. */
export interface BuildOptions {
  /**
   * Where the decoder puts a field that it names differently: a name, or a path with dots in the decoded payload, such as `gps.lat`.
   * A number in a path is a place in a list: `messages.0.2.measurementValue`.
   *
   * @default lat; lng, lon, long; alt; acc, hdop - in any letter case, if the field itself is missing
   */
  fields?:
    | {
        /** The path of the latitude. */
        readonly latitude?: string | undefined;
        /** The path of the longitude. */
        readonly longitude?: string | undefined;
        /** The path of the altitude, or the meters to submit if the decoder returns none. */
        readonly altitude?: string | number | undefined;
        /** The path of the accuracy, or the meters to submit if the decoder returns none. */
        readonly accuracy?: string | number | undefined;
      }
    | undefined;
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

const A_PATH = 'a path in the decoded payload, such as "gps.lat" or "messages.0.2.value"';
const aPath = /* @__PURE__ */ check<string>(A_PATH, isPath);
const aPathOrMeters = /* @__PURE__ */ check<string | number>(
  `${A_PATH}, or a number of meters`,
  (value) => isPath(value) || Number.isFinite(value),
);

/** The checks of {@link BuildOptions}. */
export const buildTable: OptionTable<BuildOptions> = {
  fields: /* @__PURE__ */ options<NonNullable<BuildOptions["fields"]>>("fields", {
    latitude: aPath,
    longitude: aPath,
    altitude: aPathOrMeters,
    accuracy: aPathOrMeters,
  }),
  observedRules: trueOrFalse,
  keep: checkKeep,
};

/** Rejects what never finds anything: an empty name, brackets, and a path that begins at the uplink, as one of `keep` does. */
function isPath(value: unknown): boolean {
  return (
    typeof value === "string" &&
    /^[^.[\]]+(\.[^.[\]]+)*$/.test(value) &&
    !/^(decoded\.payload|uplink_message\.decoded_payload)\./.test(value)
  );
}

/** Builds a position from a decoded payload. Accepts other names and numbers in strings, and fixes invalid altitudes. */
export function buildPosition(
  payload: AnyRecord,
  path: string,
  { fields = {}, observedRules }: BuildOptions,
) {
  const checkValue = observedRules === false ? checkStatedField : checkObservedField;
  const changes: string[] = [];
  const problems: Problem[] = [];
  const missing: MappingField[] = [];
  const values: Partial<Record<MappingField, number>> = {};
  for (const field of FIELDS) {
    const given = fields[field];
    const found = find(payload, field, given);
    if (found === undefined && typeof given !== "number") {
      missing.push(field);
      continue;
    }
    if (found === undefined) changes.push(`${field}: ${given}, from fields`);
    const [name, original] = found ?? [field, given];
    let value = numberOf(original) ?? original;
    if (value !== original) changes.push(`${field}: string was read as a number`);
    if (name !== field) changes.push(`${field}: taken from ${name}`);
    let message: string | undefined;
    if (typeof value === "number" && plainName(name.slice(name.lastIndexOf(".") + 1)) === "hdop") {
      if (observedRules !== false) message = checkHdop(value);
      value *= METERS_PER_HDOP;
      changes.push(`accuracy: ${METERS_PER_HDOP} m per unit of ${name}`);
    }
    if (field === "altitude" && typeof value === "number" && !Number.isInteger(value)) {
      // Avoids -0, which JSON writes differently.
      value = Math.round(value) + 0;
      changes.push("altitude: rounded to whole meters");
    }
    message ??= checkValue(field, value);
    if (message === undefined) values[field] = value as number;
    // A tracker without a fix sends two zeros.
    else if (problems.at(-1)?.message !== message || value !== 0)
      problems.push({ path: `${path}.${name}`, message });
  }
  problems.unshift(...describeMissing(payload, path, missing, fields));
  const position = problems.length === 0 ? (values as Position) : undefined;
  return { position, changes, problems };
}

function find(
  payload: AnyRecord,
  field: MappingField,
  given: string | number | undefined,
): [name: string, value: unknown] | undefined {
  if (typeof given !== "string") return findField(payload, field);
  const value = given.split(".").reduce<unknown>((inner, key) => {
    const parent = Array.isArray(inner) ? inner : recordOf(inner);
    return Object.hasOwn(parent, key) ? (parent as AnyRecord)[key] : undefined;
  }, payload);
  return value == null ? undefined : [given, value];
}
