/**
 * What happens to a response or an event that does not fit.
 *
 * - `strict`: what contradicts the contract is an error.
 * - `warn`: it is reported, and you get what came.
 * - `off`: you get what came, and nothing is reported.
 */
export type Validation = "strict" | "warn" | "off";

// On globalThis, so that two copies of this package, as ESM and CommonJS, share one default.
const KEY = Symbol.for("@fieldmesh/validation");
const MODES: ReadonlySet<unknown> = new Set(["strict", "warn", "off"]);

const holder = globalThis as { [KEY]?: Validation | undefined };

/**
 * Sets what happens to responses and events that do not fit, for every client and receiver of this process that does not
 * set `validation` itself. It counts from the next response on, also for clients that exist already.
 *
 * `undefined` restores what is the default without it: `"strict"` for clients, `"warn"` for events.
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

/** The default of this process: what {@link setDefaultValidation} has set; `unset` where nothing is set. */
export function defaultValidation(unset: Validation = "strict"): Validation {
  return holder[KEY] ?? unset;
}

/** Checks an option `validation`; throws a TypeError that says what to write. */
export function checkValidation(mode: unknown): asserts mode is Validation {
  if (!MODES.has(mode)) throw new TypeError('validation must be "strict", "warn" or "off".');
}
