/**
 * Reads a member of any value. Returns `undefined` if the member is missing or cannot be read, such as when a proxy throws.
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
 * Tells whether a value has a method with this name. Use it to check a client or a store that the caller passes.
 *
 * @example
 * ```ts
 * hasMethod(new Map(), "get"); // true
 * ```
 */
export function hasMethod(value: unknown, name: string): boolean {
  return typeof memberOf(value, name) === "function";
}
