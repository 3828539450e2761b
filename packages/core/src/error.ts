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
  /**
   * The `name` of the errors of this class, by which every copy of the package knows them. It is not set on the prototype here,
   * because bundlers keep a class with a static block, and all its texts, in a program that does not use it.
   */
  protected static readonly errorName: string = "FieldmeshError";

  /** `instanceof` also matches an error from another copy of this package, such as when one program loads both ESM and CommonJS. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass in user code has no such name of its own, so only the prototype identifies it.
    return Object.hasOwn(this, "errorName")
      ? isFieldmeshError(value, this.errorName)
      : super[Symbol.hasInstance](value);
  }

  constructor(message?: string, options?: ErrorOptions) {
    // On the prototype, because inspectors would print an own member a second time. Before `super`, because the stack begins with it.
    let named = new.target;
    while (!Object.hasOwn(named, "errorName")) named = Object.getPrototypeOf(named) as typeof named;
    if (!Object.hasOwn(named.prototype, "name"))
      // Not by assignment, which a frozen Error.prototype rejects: some hosts harden it.
      Object.defineProperty(named.prototype, "name", {
        value: named.errorName,
        writable: true,
        configurable: true,
      });
    super(message, options);
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
    const { errorName } = this.constructor as unknown as ErrorClass;
    return `https://fieldmesh.github.io/fieldmesh/errors/${errorName}.html`;
  }

  /** Returns what structured logs receive: the name, the message and the facts. None of them holds a secret. */
  toJSON(): Record<string, unknown> {
    return { ...(this as object), name: this.name, message: this.message };
  }
}

/**
 * Tells whether a value is an error of fieldmesh, even from another copy of the package. Pass a name to check for one class.
 *
 * @example
 * ```ts
 * isFieldmeshError(error); // any error of ours
 * isFieldmeshError(error, "EventParseError"); // like `error instanceof EventParseError`
 * ```
 */
export function isFieldmeshError(value: unknown, name = "FieldmeshError"): value is FieldmeshError {
  try {
    // Not `value.constructor`, which parsed JSON may contain.
    let { constructor: each } = Object.getPrototypeOf(value) as object;
    while (each !== null && (each as unknown as ErrorClass).errorName !== name)
      each = Object.getPrototypeOf(each) as typeof each;
    return each !== null;
  } catch {
    // It is null, undefined or without a prototype, or it is a proxy that throws.
    return false;
  }
}

/** Every class of our errors. */
interface ErrorClass {
  readonly errorName: string;
}
