/** An object with unknown fields. */
export type AnyRecord = Readonly<Record<string, unknown>>;

/** Tells whether a value is an object with fields, so neither `null` nor an array. */
export function isRecord(value: unknown): value is AnyRecord {
  try {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    // A revoked proxy throws.
    return false;
  }
}

/** Returns the value as a record, or an empty record for anything else. A path of fields then needs no checks. */
export function recordOf(value: unknown): AnyRecord {
  return isRecord(value) ? value : {};
}

/** Returns the record in a JSON body, or an empty record for anything else, such as the error page of a proxy. */
export function readRecord(json: string): AnyRecord {
  try {
    return recordOf(JSON.parse(json));
  } catch {
    return {};
  }
}
