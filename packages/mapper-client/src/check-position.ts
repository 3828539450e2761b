import type { AnyRecord } from "@fieldmesh/core/internal";
import { OBSERVED_ADVICE, type Problem } from "@fieldmesh/http/internal";
import { FIELDS, RANGES, type MappingField } from "./fields.ts";

/** Checks the four fields at the top of a decoded payload. By default, it applies the rules of running deployments. */
export function checkPosition(
  payload: AnyRecord,
  path: string,
  checkValue: (field: MappingField, value: unknown) => string | undefined = checkField,
): Problem[] {
  return FIELDS.flatMap((field) => {
    const found = Object.hasOwn(payload, field) ? payload[field] : undefined;
    if (found === undefined || found === null) return [missing(payload, field, path)];
    const message = checkValue(field, found);
    return message === undefined ? [] : [{ path: `${path}.${field}`, message }];
  });
}

function missing(payload: AnyRecord, field: MappingField, path: string): Problem {
  const alike = Object.keys(payload).find((name) => name !== field && name.toLowerCase() === field);
  // The name is one of the four in other letter case, so it quotes nothing.
  return alike === undefined
    ? { path: `${path}.${field}`, message: `is missing: let the decoder return ${field}` }
    : { path: `${path}.${alike}`, message: `write ${field}: names are case-sensitive` };
}

/** Describes which rule of the published spec a value breaks, without quoting the value. */
export function checkStatedField(field: MappingField, value: unknown): string | undefined {
  if (typeof value === "string") return describeText(value);
  if (typeof value !== "number") return `is not a number: send a number`;
  if (!Number.isFinite(value)) return "is not a finite number: omit an uplink without a fix";
  if (field === "altitude" && !Number.isInteger(value)) return "is not a whole number: round it";
  return undefined;
}

function describeText(text: string): string {
  if (/^\s*[-+]?\d+,\d+\s*$/.test(text)) return "has a decimal comma: send a number";
  return /^\s*[-+]?\d+\.\d+\s*[,; ]\s*[-+]?\d+\.\d+\s*$/.test(text)
    ? "has two numbers: return each in its own field"
    : "is a string: send a number";
}

const DIVIDE = ", so let the decoder divide this whole number";
const FULL_CIRCLE = 360;

/** Tells whether a value must be degrees times a power of ten, which devices send as a whole number. */
function isScaled(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) > FULL_CIRCLE;
}

/** Describes which rule of the published spec, or of running deployments (observed), a value breaks. */
function checkField(field: MappingField, value: unknown): string | undefined {
  const stated = checkStatedField(field, value);
  if (stated !== undefined || typeof value !== "number") return stated;
  const [least, most] = RANGES[field];
  if (value < least || value > most)
    return most === Infinity
      ? `is less than ${least}: ${adviceOn(field)}`
      : `is not between ${least} and ${most}: send decimal degrees${isScaled(value) ? DIVIDE : ""}`;
  if (most !== Infinity && value === 0)
    return "is exactly 0, which trackers without a fix send: omit that uplink";
  return undefined;
}

/** Same, if an option of the caller turns the observed rules on. The message says how to turn them off. */
export function checkObservedField(field: MappingField, value: unknown): string | undefined {
  const problem = checkField(field, value);
  if (problem === undefined || checkStatedField(field, value) !== undefined) return problem;
  return `${problem} ${OBSERVED_ADVICE}`;
}

const MOST_HDOP = 20;

/** Describes an HDOP that says that the receiver has no fix, such as 99.9 (observed). */
export function checkHdop(value: number): string | undefined {
  return value > MOST_HDOP
    ? `is above ${MOST_HDOP}, which receivers without a fix send: omit that uplink ${OBSERVED_ADVICE}`
    : undefined;
}

function adviceOn(field: MappingField): string {
  return field === "altitude" ? "send meters above the sea" : "send meters";
}
