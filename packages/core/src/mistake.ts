import { describeValue } from "./describe-value.ts";
import { isFieldmeshError } from "./error.ts";

const ours = new WeakSet<object>();

/** Creates the TypeError for a value that the caller passed, and marks it as an error of fieldmesh, see {@link isOurs}. */
export function mistake(message: string): TypeError {
  const error = new TypeError(message);
  ours.add(error);
  return error;
}

/** Creates the error of a function whose argument has the wrong kind. Says what was passed without showing it. */
export function requires(owner: string, what: string, given: unknown): TypeError {
  return mistake(`${owner} requires ${what}, not ${describeValue(given)}.`);
}

/** Creates the error of an option that has the wrong kind. Says what was passed without showing it. */
export function mustBe(name: string, what: string, given: unknown): TypeError {
  return mistake(`${name} must be ${what}; it is ${describeValue(given)}.`);
}

/** The end of a sentence about a value that cannot be read, because a getter or a proxy in it throws. */
export const UNREADABLE =
  "cannot be read: a getter or a proxy in it throws, or it contains itself. Pass plain values.";

/**
 * Runs a function that reads a value of the caller. A getter or a proxy in that value may throw an error with any content. Such
 * an error is replaced by a TypeError that says so. Errors of fieldmesh pass through.
 */
export function readInput<T>(owner: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isOurs(error)) throw error;
    // Without a cause, because an error from a getter may contain anything.
    throw mistake(`${owner} ${UNREADABLE}`);
  }
}

/** Tells whether fieldmesh has created an error, and not the value that it was reading. */
export function isOurs(error: unknown): error is Error {
  return ours.has(Object(error)) || isFieldmeshError(error);
}
