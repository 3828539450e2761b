const BRAND = Symbol.for("@fieldmesh/error");

/**
 * The base of every error that fieldmesh throws.
 *
 * A message says what was attempted, what happened and what to do. It never contains a
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
    // On the prototype, because inspectors would print an own member a second time.
    this.prototype.name = "FieldmeshError";
  }

  /** `instanceof` also matches an error from another copy of this package, such as when one program loads both ESM and CommonJS. */
  static override [Symbol.hasInstance](
    this: { readonly prototype: object },
    value: unknown,
  ): boolean {
    const { prototype } = this;
    // A subclass in user code has no name of its own, so only the prototype identifies it.
    if (!Object.hasOwn(prototype, "name"))
      return Object.prototype.isPrototypeOf.call(prototype, value as object);
    return isFieldmeshError(value) && inheritsName(value, (prototype as Error).name);
  }

  /**
   * The address of the page about this error, with its usual causes and what to do.
   *
   * @example
   * ```ts
   * if (isFieldmeshError(error)) console.error(error.message, error.docs);
   * ```
   */
  get docs(): string {
    return `https://fieldmesh.github.io/fieldmesh/errors/${this.name}.html`;
  }

  /** Returns what structured logs receive: the name, the message and the facts. None of them holds a secret. */
  toJSON(): Record<string, unknown> {
    return { ...(this as object), name: this.name, message: this.message };
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }
}

/** Each class of this project has its name on its prototype, with the same value in every copy. */
function inheritsName(value: object, name: string): boolean {
  for (let each = value; each !== null; each = Object.getPrototypeOf(each) as object)
    if (Object.hasOwn(each, "name") && (each as Error).name === name) return true;
  return false;
}

/**
 * Tells whether a value is an error of fieldmesh, even from another copy of the package. Pass a name to check for one class.
 *
 * @example
 * ```ts
 * isFieldmeshError(error); // any error of ours
 * isFieldmeshError(error, "EventParseError"); // that one
 * ```
 */
export function isFieldmeshError(value: unknown, name?: string): value is FieldmeshError {
  try {
    return isOne(value, name);
  } catch {
    // A getter or a proxy throws.
    return false;
  }
}

function isOne(value: unknown, name?: string): value is FieldmeshError {
  if (typeof value !== "object" || value === null) return false;
  if ((value as { [BRAND]?: unknown })[BRAND] !== true) return false;
  return name === undefined || (value as FieldmeshError).name === name;
}
