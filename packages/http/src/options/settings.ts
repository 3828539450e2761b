import type { Validation } from "@fieldmesh/core";
import type { FetchFunction, FetchInit } from "../wire/fetch-attempt.ts";
import { createDriftReport, type ReportDrift } from "./drift.ts";
import type { ClientOptions, RetryOptions } from "./client-options.ts";
import type { RateLimitOption } from "../limit/rate-limit-option.ts";
import type { Hooks } from "./hooks.ts";
import { createLog, type Log } from "./logger.ts";

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
  /** How many requests may be in progress at once. */
  readonly maxConcurrent: number;
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
  // With the connections that are about to be reused, at most 128: half of the 256 files that small hosts allow.
  maxConcurrent: 64,
  baseDelay: 300,
  maxDelay: 10_000,
};

// A list of about 200,000 devices, which the console returns in one response.
const MAX_RESPONSE_BYTES = 128 * 1024 * 1024;

/** Fills in the defaults of checked options. */
export function readSettings(
  options: ClientOptions,
  defaults: { readonly observedRules?: boolean } = {},
): Settings {
  const { fetch = globalFetch, validation, onDrift, hooks = {} } = options;
  const { observedRules = defaults.observedRules === true } = options;
  const log = createLog(options.logger);
  return {
    fetch,
    hasOwnFetch: fetch !== globalFetch && fetch !== globalThis.fetch,
    validation,
    observedRules,
    reportDrift: createDriftReport(onDrift, log),
    hooks,
    log,
    timeout: options.timeout ?? DEFAULTS.timeout,
    totalTimeout: options.totalTimeout ?? DEFAULTS.totalTimeout,
    ...fillRetry(options.retry, DEFAULTS),
    rateLimit: options.rateLimit,
    maxConcurrent:
      options.maxConcurrent === false
        ? Infinity
        : (options.maxConcurrent ?? DEFAULTS.maxConcurrent),
    maxResponseBytes: MAX_RESPONSE_BYTES,
  };
}

/** Fills in the members of an option `retry` that were left out. */
export function fillRetry(
  retry: RetryOptions | false = {},
  defaults: Pick<Settings, keyof RetryOptions>,
): Pick<Settings, keyof RetryOptions> {
  const {
    attempts = defaults.attempts,
    baseDelay = defaults.baseDelay,
    maxDelay = defaults.maxDelay,
  } = retry === false ? { attempts: 1 } : retry;
  return { attempts, baseDelay, maxDelay };
}

function globalFetch(url: string, init: FetchInit): Promise<Response> {
  return globalThis.fetch(url, init);
}
