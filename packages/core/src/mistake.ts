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

/**
 * Finds a common mistake in a value from an environment variable: an empty string, the word `undefined`, quotes, or a
 * placeholder. Returns the end of a sentence that says what to do, without the value. Returns `undefined` if it finds none.
 */
export function findSettingMistake(text: string): string | undefined {
  if (text.trim() === "") return "is empty. Is the environment variable set?";
  if (/^(undefined|null)$/.test(text))
    return `is the word ${text}. Set the variable: an unset one was probably written into a string.`;
  if (/^(["'`]).*\1$/s.test(text))
    return "is in quotes, which become part of the value. Remove them where you set the variable.";
  if (/^(\$\{.*\}|\$[A-Z_]+|%[A-Z_]+%|<.*>|\{\{.*\}\})$/.test(text))
    return "is a placeholder that was never replaced. Set the variable that it names.";
  return undefined;
}
