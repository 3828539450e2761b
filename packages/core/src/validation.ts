import { mistake } from "./mistake.ts";

/**
 * How to treat a response or an event that does not fit its schema.
 *
 * - `strict`: throws an error for anything that contradicts the contract.
 * - `warn`: reports it and returns the value as it was sent.
 * - `off`: returns the value as it was sent, without a report.
 */
export type Validation = "strict" | "warn" | "off";

// Stored on globalThis, so that two copies of this package, such as ESM and CommonJS, share one default.
const KEY = Symbol.for("@fieldmesh/validation");
const MODES: ReadonlySet<unknown> = new Set(["strict", "warn", "off"]);

const holder = globalThis as { [KEY]?: Validation | undefined };

/**
 * Sets the default of `validation` for every client and receiver of this process that does not set it itself. It applies from the
 * next response on, including to existing clients.
 *
 * Pass `undefined` to restore the built-in default: `"strict"` for clients, `"warn"` for events.
 *
 * @example
 * ```ts
 * setDefaultValidation("warn");
 * ```
 */
export function setDefaultValidation(mode: Validation | undefined): void {
  if (mode !== undefined) checkValidation(mode);
  holder[KEY] = mode;
}

/** Returns the default that {@link setDefaultValidation} has set, or `unset`. */
export function defaultValidation(unset: Validation = "strict"): Validation {
  return holder[KEY] ?? unset;
}

/** Checks the option `validation`, and returns it. Throws a TypeError that says what to write. */
export function checkValidation(mode: unknown): Validation {
  if (MODES.has(mode)) return mode as Validation;
  throw mistake('validation must be "strict", "warn" or "off".');
}
