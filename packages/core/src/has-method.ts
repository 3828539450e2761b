/**
 * Reads a member of any value; `undefined` where it has none or cannot be read, as with a proxy that throws.
 *
 * @example
 * ```ts
 * memberOf({ type: "x" }, "type"); // "x"
 * ```
 */
export function memberOf(value: unknown, name: PropertyKey): unknown {
  try {
    return (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name];
  } catch {
    // A getter or a proxy throws.
    return undefined;
  }
}

/**
 * Tells whether a value has a method of that name: for a client or a store of the caller.
 *
 * @example
 * ```ts
 * hasMethod(new Map(), "get"); // true
 * ```
 */
export function hasMethod(value: unknown, name: string): boolean {
  return typeof memberOf(value, name) === "function";
}
