/** An object of unknown fields. */
export type AnyRecord = Readonly<Record<string, unknown>>;

/** Tells whether a value is an object with fields: neither `null` nor an array. */
export function isRecord(value: unknown): value is AnyRecord {
  try {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    // A proxy that was revoked.
    return false;
  }
}

/** The value as a record; an empty one for anything else, so that a path of fields needs no checks. */
export function recordOf(value: unknown): AnyRecord {
  return isRecord(value) ? value : {};
}

/** The record that a JSON body holds; an empty one for anything else, such as the page of a proxy. */
export function readRecord(json: string): AnyRecord {
  try {
    return recordOf(JSON.parse(json));
  } catch {
    return {};
  }
}
