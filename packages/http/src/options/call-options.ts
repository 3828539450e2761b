import { type RetryOptions } from "./client-options.ts";
import { checkMilliseconds, readRetry, type Settings } from "./settings.ts";
import { InputError } from "../errors/input-error.ts";
import { checkPriority, type Priority } from "../limit/line.ts";
import type { QueryOptions } from "../request/request.ts";
import {
  checkOptionNames,
  checkValidation,
  isOurs,
  UNREADABLE,
  type Schema,
  type Validation,
} from "@fieldmesh/core";

/** What one call may set: the last argument of every method. */
export interface CallOptions {
  /** Ends the call in any phase, also while it waits to try again; the call rejects with an `AbortError`. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, its body included. Overrides the client's. */
  timeout?: number | undefined;
  /** Milliseconds for the whole call, waits and retries included. Overrides the client's. */
  totalTimeout?: number | undefined;
  /** How this call is retried; `false` sends it once. Members that you leave out are the client's. */
  retry?: RetryOptions | false | undefined;
  /**
   * A call in the background goes after all others that wait for the rate limit, and leaves room between its requests so that others need not wait long.
   *
   * @default "normal"
   */
  priority?: Priority | undefined;
  /** What happens to a response that contradicts the contract. Overrides the client's. */
  validation?: Validation | undefined;
  /** Headers for this call, over the client's. The credential's header cannot be set here. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of a call that creates or changes something under an idempotency key. */
export interface IdempotentCallOptions extends CallOptions {
  /**
   * The key of the call, sent as `Idempotency-Key` with every attempt: up to 255 characters of ASCII without blanks.
   * Give your own to repeat a call in another process; without one a new UUID is used for each call.
   *
   * The published spec does not name the header. A server that ignores it carries out each request that it receives.
   */
  idempotencyKey?: string | undefined;
}

/** The options of a call of any row. */
export type SendOptions = IdempotentCallOptions & QueryOptions & { schema?: Schema | undefined };

const CALL_OPTIONS: Readonly<Record<keyof CallOptions | "schema", true>> = {
  signal: true,
  timeout: true,
  totalTimeout: true,
  retry: true,
  priority: true,
  validation: true,
  headers: true,
  schema: true,
};

/** Throws a TypeError for an option that a call does not have. `own` are those of this kind of call. */
export function checkCallOptionNames(call: string, options: unknown, own: readonly string[]): void {
  // Anything but an object is rejected by checkCallOptions.
  if (typeof options === "object" && options !== null)
    checkOptionNames(call, options, [...Object.keys(CALL_OPTIONS), ...own]);
}

/** Checks the options of a call but `retry`, which `withCallOptions` reads; throws a TypeError that shows no value. */
export function checkCallOptions(options: SendOptions): void {
  if (typeof options !== "object" || options === null)
    throw new TypeError("must be an object, such as { signal }.");
  const { signal, timeout, totalTimeout, priority, validation, idempotencyKey, schema } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError("signal must be an AbortSignal.");
  if (timeout !== undefined) checkMilliseconds("timeout", timeout);
  if (totalTimeout !== undefined) checkMilliseconds("totalTimeout", totalTimeout);
  checkPriority(priority);
  if (validation !== undefined) checkValidation(validation);
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    throw new TypeError("idempotencyKey must be 1 to 255 characters of ASCII without blanks.");
  if (schema !== undefined && typeof schema?.["~standard"]?.validate !== "function")
    throw new TypeError(
      "schema must follow Standard Schema, as those of zod, valibot or ArkType do.",
    );
}

/** Runs a check of options; what it rejects is an InputError of the call. */
export function checkedInput<T>(
  facts: { call: string; route: string },
  { path, value }: { readonly path: string; readonly value: unknown },
  check: () => T,
): T {
  try {
    return check();
  } catch (error) {
    const message = isOurs(error, value) ? error.message : UNREADABLE;
    if (message !== UNREADABLE && !(error instanceof TypeError)) throw error;
    throw new InputError(facts, [{ path, message: message.replace(/\.$/, "") }]);
  }
}

/** The client's settings with the options of one call. */
export function withCallOptions(settings: Settings, options: CallOptions): Settings {
  const { timeout, totalTimeout, retry, validation } = options;
  return {
    ...settings,
    ...readRetry(retry, settings),
    timeout: timeout ?? settings.timeout,
    totalTimeout: totalTimeout ?? settings.totalTimeout,
    validation: validation ?? settings.validation,
  };
}
