/**
 * Tells whether a value has a method of that name: for a client or a store of the caller.
 *
 * @example
 * ```ts
 * hasMethod(new Map(), "get"); // true
 * ```
 */
export function hasMethod(value: unknown, name: string): boolean {
  try {
    return typeof (value as Record<string, unknown> | null | undefined)?.[name] === "function";
  } catch {
    // A getter or a proxy throws.
    return false;
  }
}
