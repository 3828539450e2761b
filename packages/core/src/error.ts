const BRAND = Symbol.for("@fieldmesh/error");

/**
 * The base of every error that fieldmesh throws.
 *
 * A message answers three questions: what was attempted, what happened, what to do. It never holds a
 * key, a code, a URL with its query, or any part of a body.
 *
 * @example
 * ```ts
 * try {
 *   await client.labels.get({ label_id });
 * } catch (error) {
 *   if (isFieldmeshError(error)) console.error(error.name, error.message);
 *   else throw error;
 * }
 * ```
 */
export class FieldmeshError extends Error {
  static {
    // On the prototype: as an own member it would be printed a second time by every inspector.
    this.prototype.name = "FieldmeshError";
  }

  /** What structured logs get: the name, the message and the facts, which hold no secret. */
  toJSON(): Record<string, unknown> {
    return { ...(this as object), name: this.name, message: this.message };
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }
}

/**
 * Tells whether a value was thrown by fieldmesh, also by another copy of it, and by its name which error it is.
 *
 * @example
 * ```ts
 * isFieldmeshError(error); // any error of ours
 * isFieldmeshError(error, "EventParseError"); // that one
 * ```
 */
export function isFieldmeshError(value: unknown, name?: string): value is FieldmeshError {
  if (typeof value !== "object" || value === null) return false;
  if ((value as { [BRAND]?: unknown })[BRAND] !== true) return false;
  return name === undefined || (value as FieldmeshError).name === name;
}
