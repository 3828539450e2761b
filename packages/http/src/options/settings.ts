import {
  checkInteger,
  checkOptionNames,
  checkValidation,
  describeValue,
  type Validation,
} from "@fieldmesh/core/internal";
import type { FetchFunction, FetchInit } from "../wire/fetch-attempt.ts";
import { createDriftReport, type ReportDrift } from "./drift.ts";
import type { ClientOptions, RetryOptions } from "./client-options.ts";
import { checkRateLimit, type RateLimitOption } from "../limit/rate-limit-option.ts";
import { HOOKS, type Hooks } from "./hooks.ts";
import { checkLogger, createLog, type Log } from "./logger.ts";

/** The options with every default filled in. */
export interface Settings {
  readonly fetch: FetchFunction;
  /** The caller passed the function `fetch`. */
  readonly hasOwnFetch: boolean;
  readonly timeout: number;
  readonly totalTimeout: number;
  readonly attempts: number;
  readonly baseDelay: number;
  readonly maxDelay: number;
  readonly rateLimit: RateLimitOption;
  /** `undefined` uses the default of the process, which may change. */
  readonly validation: Validation | undefined;
  readonly reportDrift: ReportDrift;
  readonly observedRules: boolean;
  readonly maxResponseBytes: number;
  readonly hooks: Hooks;
  readonly log: Log | undefined;
}

const DEFAULTS = {
  timeout: 30_000,
  totalTimeout: 120_000,
  attempts: 3,
  baseDelay: 300,
  maxDelay: 10_000,
};

// A list of about 200,000 devices, which the console returns in one response.
const MAX_RESPONSE_BYTES = 128 * 1024 * 1024;

// The longest wait of a timer. setTimeout treats anything above as no wait.
const MAX_MILLISECONDS = 2 ** 31 - 1;
const MAX_ATTEMPTS = 20;

const RETRY_OPTIONS: Readonly<Record<keyof RetryOptions, true>> = {
  attempts: true,
  baseDelay: true,
  maxDelay: true,
};

/** Checks the options and fills in the defaults. Throws a TypeError that says what to write. */
export function readSettings(
  options: ClientOptions,
  defaults: { readonly observedRules?: boolean } = {},
): Settings {
  const { fetch = globalFetch, validation, onDrift, hooks = {} } = options;
  const { observedRules = defaults.observedRules === true } = options;
  checkFunction("fetch", fetch);
  checkFunction("onDrift", onDrift);
  checkLogger(options.logger);
  const log = createLog(options.logger);
  checkObject("hooks", hooks);
  checkOptionNames("hooks", hooks, Object.keys(HOOKS));
  for (const [name, hook] of Object.entries(hooks)) checkFunction(`hooks.${name}`, hook);
  if (validation !== undefined) checkValidation(validation);
  if (typeof observedRules !== "boolean")
    throw new TypeError("observedRules must be true or false, or omitted.");
  return {
    fetch,
    hasOwnFetch: fetch !== globalFetch && fetch !== globalThis.fetch,
    validation,
    observedRules,
    reportDrift: createDriftReport(onDrift, log),
    hooks,
    log,
    timeout: checkMilliseconds("timeout", options.timeout ?? DEFAULTS.timeout),
    totalTimeout: checkMilliseconds("totalTimeout", options.totalTimeout ?? DEFAULTS.totalTimeout),
    ...readRetry(options.retry, DEFAULTS),
    rateLimit: checkRateLimit(options.rateLimit),
    maxResponseBytes: MAX_RESPONSE_BYTES,
  };
}

/** Checks an option `retry`. Omitted members come from `defaults`. */
export function readRetry(
  retry: RetryOptions | false = {},
  defaults: Pick<Settings, keyof RetryOptions>,
): Pick<Settings, keyof RetryOptions> {
  if (retry !== false) checkObject("retry", retry, "false or ", ", such as { attempts: 5 }");
  const own = retry === false ? { attempts: 1 } : retry;
  checkOptionNames("retry", own, Object.keys(RETRY_OPTIONS));
  const {
    attempts = defaults.attempts,
    baseDelay = defaults.baseDelay,
    maxDelay = defaults.maxDelay,
  } = own;
  return {
    attempts: checkInteger("retry.attempts", attempts, 1, MAX_ATTEMPTS),
    baseDelay: checkInteger("retry.baseDelay", baseDelay, 0, MAX_MILLISECONDS, "milliseconds"),
    maxDelay: checkInteger("retry.maxDelay", maxDelay, 0, MAX_MILLISECONDS, "milliseconds"),
  };
}

function globalFetch(url: string, init: FetchInit): Promise<Response> {
  return globalThis.fetch(url, init);
}

/** Checks a timeout in milliseconds. */
export function checkMilliseconds(name: string, value: number): number {
  return checkInteger(name, value, 1, MAX_MILLISECONDS, "milliseconds");
}

function checkFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== "function")
    throw new TypeError(`${name} must be a function, or omitted; it is ${describeValue(value)}.`);
}

function checkObject(name: string, value: unknown, or = "", example = ""): void {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(
      `${name} must be ${or}an object${example}, or omitted; it is ${describeValue(value)}.`,
    );
}
