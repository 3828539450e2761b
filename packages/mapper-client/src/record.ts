export type AnyRecord = Readonly<Record<string, unknown>>;

/** The value as a record; an empty one for anything else, so that a walk down needs no questions. */
export function recordOf(value: unknown): AnyRecord {
  return isRecord(value) ? value : {};
}

export function isRecord(value: unknown): value is AnyRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
