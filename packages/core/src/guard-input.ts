import { isOurs as isMarked, UNREADABLE } from "./mistake.ts";

/**
 * Runs a function that reads a value of the caller. A getter or a proxy in that value may throw an error with any content. Such
 * an error is replaced by a TypeError that says so. Errors of fieldmesh pass through.
 *
 * @example
 * ```ts
 * guardInput("The options", options, () => checkOptions(options));
 * ```
 */
export function guardInput<T>(owner: string, given: unknown, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isOurs(error, given)) throw error;
    // oxlint-disable-next-line preserve-caught-error -- an error from a getter may contain anything
    throw new TypeError(`${owner} ${UNREADABLE}`);
  }
}

/** Tells whether an error comes from a check of fieldmesh, and not from the checked value. */
export function isOurs(error: unknown, ...read: [given?: unknown]): error is Error {
  if (isMarked(error)) return true;
  if (read.length === 0) return false;
  try {
    return error instanceof TypeError && isReadable(read[0], new Set());
  } catch {
    return false;
  }
}

/** Reads every part of a value, and throws if a part throws. Returns false if the value contains itself. */
function isReadable(value: unknown, parents: ReadonlySet<unknown>): boolean {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return true;
  if (parents.has(value)) return false;
  const within = new Set([...parents, value]);
  if (within.size > DEEPEST) return true;
  Object.getPrototypeOf(value);
  const keys = [...Reflect.ownKeys(value), "constructor", "toJSON"].slice(0, MOST_KEYS);
  return keys.every((key) => {
    const part: unknown = Reflect.get(value, key);
    return key === "constructor" || key === "prototype" || isReadable(part, within);
  });
}

// Far deeper than any input. Larger values are judged by their first part.
const DEEPEST = 8;
const MOST_KEYS = 1_000;
