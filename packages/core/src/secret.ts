// Why it is so: docs/decisions/09-secrets-have-a-type.md
import { mistake } from "./mistake.ts";
import { equalText } from "./equal-text.ts";
import { memberOf } from "./record.ts";
import { hashText } from "./hash.ts";

const BRAND = Symbol.for("@fieldmesh/secret");
const FINGERPRINT = Symbol.for("@fieldmesh/secret.fingerprint");
const INSPECT = Symbol.for("nodejs.util.inspect.custom");
const REDACTED = "[redacted]";

/**
 * A value that must not reach a log: an API key, an `app_key`, a one-time code.
 *
 * Everything that prints it shows `[redacted]`: string conversion, JSON, `console.log`, `util.inspect`, template literals, stack
 * traces. Only {@link Secret.reveal} returns the value, so `grep reveal` finds every place that uses one.
 *
 * In test runners, two secrets with the same value are deep-equal, and two with different values are not. `structuredClone` and
 * `postMessage` throw an error for a secret, because a clone would silently lose its value.
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
    if (typeof value !== "string") throw mistake("A Secret holds a string: pass one.");
    this.#value = value;
    // Enumerable, because test runners compare enumerable members. The type does not show them.
    const members = this as unknown as Record<PropertyKey, unknown>;
    // The symbol makes structuredClone throw. Without it, a clone would be an empty object.
    members["secret"] = BRAND;
    members[FINGERPRINT] = hashText(value, SEED);
  }

  /** Returns the value. Keep it out of logs. */
  reveal(): T {
    return this.#value;
  }

  /**
   * Tells whether another secret or string has the same value, in a time that does not depend on where they differ.
   *
   * JavaScript cannot guarantee that time: an engine may store and optimize strings in any way, and copies of the value stay in
   * memory until they are collected. To verify signatures, use the verifier, which compares with `timingSafeEqual`.
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
 * Tells whether a value is a {@link Secret}, even from another copy of this package.
 *
 * @example
 * ```ts
 * isSecret(new Secret("x")); // true
 * ```
 */
export function isSecret(value: unknown): value is Secret {
  return typeof value === "object" && memberOf(value, BRAND) === true;
}

/** Returns the value of a secret, or the string itself. Use it in a function that accepts either. */
export function revealText(value: Secret | string): string {
  return typeof value === "string" ? value : value.reveal();
}

// Each process has a new seed, so a leaked fingerprint cannot be looked up or tried elsewhere.
const SEED = Math.floor(Math.random() * 2 ** 32);
