import { equalText } from "./equal-text.ts";
import { memberOf } from "./has-method.ts";
import { hashText } from "./hash.ts";

const BRAND = Symbol.for("@fieldmesh/secret");
const FINGERPRINT = Symbol.for("@fieldmesh/secret.fingerprint");
const INSPECT = Symbol.for("nodejs.util.inspect.custom");
const REDACTED = "[redacted]";

/**
 * Holds a value that must not reach a log: an API key, an `app_key`, a one-time code.
 *
 * Every printer shows `[redacted]`: string conversion, JSON, `console.log`, `util.inspect`, template
 * literals, stack traces. Only {@link Secret.reveal} returns the value, so that `grep reveal` finds
 * every place that uses one.
 *
 * Two secrets of the same value are deep-equal in test runners, two of different values are not.
 * `structuredClone` and `postMessage` reject a secret instead of dropping its value without a word.
 *
 * @example
 * ```ts
 * const key = new Secret("2B7E151628AED2A6ABF7158809CF4F3C");
 * console.log(`${key}`); // [redacted]
 * key.reveal(); // "2B7E151628AED2A6ABF7158809CF4F3C"
 * ```
 */
export class Secret<T extends string = string> {
  readonly #value: T;

  constructor(value: T) {
    if (typeof value !== "string") throw new TypeError("A Secret holds text; pass a string.");
    this.#value = value;
    // Enumerable, because test runners compare enumerable members; the type does not show them.
    const members = this as unknown as Record<PropertyKey, unknown>;
    // A symbol as a value makes structuredClone throw; without it a clone would be an empty object.
    members["secret"] = BRAND;
    // Differs when the values differ.
    members[FINGERPRINT] = hashText(value, SEED);
  }

  /** Returns the value. From here on the caller keeps it out of logs. */
  reveal(): T {
    return this.#value;
  }

  /**
   * Tells whether the other secret or string has the same value, in a time that does not depend on where they differ.
   *
   * JavaScript cannot guarantee that time: an engine may store and optimize strings as it likes, and copies of the value
   * stay in memory until it collects them. Verify signatures with the verifier, which compares with `timingSafeEqual`.
   */
  equals(other: Secret | string): boolean {
    return equalText(this.#value, typeof other === "string" ? other : other.reveal());
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [Symbol.toPrimitive](): string {
    return REDACTED;
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }

  /** @internal */
  [INSPECT](): string {
    return REDACTED;
  }
}

/**
 * Tells whether a value is a {@link Secret}, also one made by another copy of this package.
 *
 * @example
 * ```ts
 * isSecret(new Secret("x")); // true
 * ```
 */
export function isSecret(value: unknown): value is Secret {
  return typeof value === "object" && memberOf(value, BRAND) === true;
}

/**
 * Returns the value of a secret, or the string itself: for a function that accepts either.
 *
 * @example
 * ```ts
 * revealText(new Secret("x")); // "x"
 * ```
 */
export function revealText(value: Secret | string): string {
  return typeof value === "string" ? value : value.reveal();
}

// A new seed in every process: a fingerprint that gets out cannot be looked up or tried out elsewhere.
const SEED = Math.floor(Math.random() * 2 ** 32);
