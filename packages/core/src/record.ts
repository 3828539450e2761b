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

/** Reads a member of any value. Returns `undefined` if the member is missing or cannot be read, such as when a proxy throws. */
export function memberOf(value: unknown, name: PropertyKey): unknown {
  try {
    // Stryker disable next-line OptionalChaining: Reading a member of null throws, which returns undefined too.
    return (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name];
  } catch {
    // A getter or a proxy throws.
    return undefined;
  }
}

/** Tells whether a value has a method with this name. Use it to check a client or a store that the caller passes. */
export function hasMethod(value: unknown, name: string): boolean {
  return typeof memberOf(value, name) === "function";
}

/** Tells whether a loop, or a loop with `await`, can read a value. A string is not meant. */
export function isIterable(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    (Symbol.iterator in value || Symbol.asyncIterator in value)
  );
}
