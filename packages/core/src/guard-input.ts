import { isFieldmeshError } from "./error.ts";

/** The end of a sentence about a value that a getter or a proxy in it keeps from being read. */
export const UNREADABLE =
  "cannot be read: a getter or a proxy in it throws, or it holds itself. Pass plain values.";

/**
 * Runs what reads a value of the caller's. An error that is not ours comes from that value, such as a getter or a proxy that throws, and may hold anything: a TypeError
 * that says so replaces it.
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
    // oxlint-disable-next-line preserve-caught-error -- what a getter throws may hold anything
    throw new TypeError(`${owner} ${UNREADABLE}`);
  }
}

/** Whether an error was made by a check of ours and not by the value that was checked. */
export function isOurs(error: unknown, given: unknown): error is Error {
  try {
    if (isFieldmeshError(error)) return true;
    return error instanceof TypeError && isReadable(given, new Set());
  } catch {
    return false;
  }
}

/** Reads all of a value, which throws where a part of it does; returns false where it holds itself. */
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

// Far beyond any input; of a value that is larger the first part decides.
const DEEPEST = 8;
const MOST_KEYS = 1_000;
