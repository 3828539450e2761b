import { checkRetry, type RetryOptions } from "./client-options.ts";
import { fillRetry, type Settings } from "./settings.ts";
import type { CallName } from "../errors/call-error.ts";
import { InputError } from "../errors/input-error.ts";
import type { Priority } from "../limit/queue.ts";
import {
  anything,
  aSignal,
  check,
  checkNames,
  checkValidation,
  hasMethod,
  isOurs,
  milliseconds,
  mistake,
  oneOf,
  readInput,
  UNREADABLE,
  wholeNumber,
  type RowCheck,
  type OptionTable,
  type Schema,
  type Validation,
} from "@fieldmesh/core/internal";

/** The options of a single call: the last argument of every method. */
export interface CallOptions {
  /** Aborts the call at any time, even while it waits for a retry. The call rejects with an `AbortError`. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, including its body. Overrides the option of the client. */
  timeout?: number | undefined;
  /** Milliseconds for the whole call, including waits and retries. Overrides the option of the client. */
  totalTimeout?: number | undefined;
  /** How this call is retried. `false` sends it once. Members that you omit are those of the client. */
  retry?: RetryOptions | false | undefined;
  /**
   * A background call goes after all other calls that wait for the rate limit, and leaves gaps between its requests, so that
   * others do not wait long.
   *
   * @default "normal"
   */
  priority?: Priority | undefined;
  /** How to treat a response that contradicts the contract. Overrides the option of the client. */
  validation?: Validation | undefined;
  /**
   * The largest body that the call reads, in bytes after decompression.
   *
   * @default 134_217_728 - 128 MiB: a list of about 200,000 devices, which the console returns in one response
   */
  maxResponseBytes?: number | undefined;
  /** Headers for this call, in addition to the client's. The header of the credential cannot be set here. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of a call that creates or changes something with an idempotency key. */
export interface IdempotentCallOptions extends CallOptions {
  /**
   * The key of the call, sent as `Idempotency-Key` with every attempt: 1 to 255 ASCII characters without spaces. Set it to
   * retry a call in another process. By default, each call uses a new UUID.
   *
   * The published spec does not name the header. A server that ignores it carries out every request that it receives.
   */
  idempotencyKey?: string | undefined;
}

/** Query parameters that no row declares. */
export type ExtraQuery = Readonly<Record<string, string | number | boolean>>;

/** What the query contains besides the fields of the input. */
export interface QueryOptions {
  query?: ExtraQuery | undefined;
  /** The query of the first page of a list as it was sent. It is repeated with a cursor. */
  sentQuery?: Readonly<Record<string, string>> | undefined;
}

/** The options of a call of any row. */
export type SendOptions = IdempotentCallOptions & QueryOptions & { schema?: Schema | undefined };

/** The checks of the options of every call. `retry` is checked by `withCallOptions`, and the headers with those of the client. */
const callTable: OptionTable<CallOptions & Pick<SendOptions, "schema">> = {
  signal: aSignal,
  timeout: /* @__PURE__ */ milliseconds(),
  totalTimeout: /* @__PURE__ */ milliseconds(),
  retry: anything,
  priority: /* @__PURE__ */ oneOf("normal", "background"),
  validation: checkValidation,
  maxResponseBytes: /* @__PURE__ */ wholeNumber(1),
  headers: anything,
  schema: /* @__PURE__ */ check(
    "a schema that follows Standard Schema, like those of zod, valibot and ArkType",
    // A getter that throws is said to throw.
    (value) => hasMethod((value as Partial<Schema> | null)?.["~standard"], "validate"),
  ),
};

/** Throws a TypeError for an option that a call does not have. `own` are the options of this kind of call. */
export function checkCallOptionNames(call: string, options: unknown, own: readonly string[]): void {
  // readCallOptions rejects anything but an object.
  if (typeof options !== "object" || options === null) return;
  const names = [...Object.keys(callTable), ...own];
  readInput(`The options of ${call}`, () => checkNames(call, options, names));
}

/** Returns a checked copy of the options of a call. Throws a TypeError that shows no value. */
export function readCallOptions(given: SendOptions): SendOptions {
  if (typeof given !== "object" || given === null)
    throw mistake("must be an object, such as { signal }.");
  const own = { ...given };
  const checks: Readonly<Record<string, RowCheck<unknown>>> = callTable;
  // Only what was passed, because every call comes here.
  for (const [name, value] of Object.entries(own))
    if (value !== undefined) checks[name]?.(value, name, "");
  if (own.idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(own.idempotencyKey))
    throw mistake("idempotencyKey must have 1 to 255 ASCII characters and no spaces.");
  return own;
}

/** Runs a check of options, and converts its error to an InputError of the call. */
export function checkedInput<T>(context: CallName, path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const message = isOurs(error) ? error.message : UNREADABLE;
    if (message !== UNREADABLE && !(error instanceof TypeError)) throw error;
    throw new InputError(context, [{ path, message: message.replace(/\.$/, "") }]);
  }
}

/** Returns the settings of the client with the options of one call. */
export function withCallOptions(settings: Settings, options: CallOptions): Settings {
  const { timeout, totalTimeout, retry, validation, maxResponseBytes } = options;
  return {
    ...settings,
    ...fillRetry(retry === undefined ? {} : checkRetry(retry, "retry"), settings),
    timeout: timeout ?? settings.timeout,
    totalTimeout: totalTimeout ?? settings.totalTimeout,
    validation: validation ?? settings.validation,
    maxResponseBytes: maxResponseBytes ?? settings.maxResponseBytes,
  };
}
