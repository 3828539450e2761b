import { checkInteger, checkOptionNames, describeValue, hasMethod } from "@fieldmesh/core";

/** Requests that a service allows within a window. */
export interface RequestLimit {
  /** All requests together. */
  readonly requests: number;
}

/** Requests that a service allows within a window, where it counts reads and writes apart. */
export interface ReadWriteLimit {
  /** GET requests. */
  readonly reads: number;
  /** All other requests. */
  readonly writes: number;
}

/** A limit that you know, and who shares it. */
export type KnownRateLimit = (RequestLimit | ReadWriteLimit) & {
  /** Milliseconds within which the service counts. @default 60_000 - the limits that were seen are per minute */
  readonly window?: number | undefined;
  /** Where several processes count together: what `redisRateLimit` or `postgresRateLimit` returns. */
  readonly shared?: SharedRateLimit | undefined;
};

/** Counts the requests of several processes. */
export interface SharedRateLimit {
  /** Takes one request of a window. Resolves with the milliseconds to wait before the next try, or with 0 when it was taken. */
  take(budget: SharedBudget): Promise<number>;
  /** Lets nobody take anything for so many milliseconds: the service has rejected a request. */
  block(budget: SharedBudget, milliseconds: number): Promise<void>;
}

/** Whose requests are counted, and how many there may be. */
export interface SharedBudget {
  /** A SHA-256 hash of base URL and credential, and `reads`, `writes` or `requests`. */
  readonly key: string;
  readonly limit: number;
  /** In milliseconds. */
  readonly window: number;
}

/** What a client knows of its limits. */
export interface RateLimitState {
  /** GET requests; the same numbers as `writes` where the service counts all requests together. */
  readonly reads: BudgetState;
  /** All other requests. */
  readonly writes: BudgetState;
}

/** What a client knows of one limit. */
export interface BudgetState {
  /** Requests that are allowed within a window, if that is known. */
  readonly limit: number | undefined;
  /** Where that is from: the option, or what the service said. */
  readonly source: "option" | "service" | undefined;
  /** Requests that may be sent now, if a limit is known. */
  readonly left: number | undefined;
  /** Requests without a response yet. */
  readonly inFlight: number;
  /** Calls that wait for their turn. */
  readonly waiting: number;
  /** When the next of them may be sent, as far as it is known; `undefined` where none waits. */
  readonly nextAt: Date | undefined;
}

/**
 * Limits that deployments were seen to have, by the minute and for each client address; the spec states none. (observed)
 *
 * @example
 * ```ts
 * const client = createConsoleClient({ baseUrl, apiKey, rateLimit: rateLimits.hostedConsole });
 * ```
 */
export const rateLimits: {
  readonly console: RequestLimit;
  readonly hostedConsole: RequestLimit;
  readonly ledger: RequestLimit;
  readonly mapper: RequestLimit;
  readonly mobile: ReadWriteLimit;
} = {
  console: { requests: 6_000 },
  hostedConsole: { requests: 600 },
  ledger: { requests: 100 },
  mapper: { requests: 60 },
  mobile: { reads: 600, writes: 120 },
};

/** The option `rateLimit` of a client. */
export type RateLimitOption = number | false | KnownRateLimit | undefined;

const DAY = 86_400_000;
const NAMES = ["requests", "reads", "writes", "window", "shared"];
const EXAMPLES = "false, a number of requests a minute, or limits such as rateLimits.mobile";

/** Returns the option `rateLimit` as it is, or throws a TypeError that says what to write. */
export function checkRateLimit(option: RateLimitOption): RateLimitOption {
  if (option === undefined || option === false) return option;
  const value = typeof option === "number" ? { requests: option } : option;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`rateLimit must be ${EXAMPLES}; it is ${describeValue(value)}.`);
  checkOptionNames("rateLimit", value, NAMES);
  const { requests, reads, writes, window, shared } = value as Partial<
    RequestLimit & ReadWriteLimit & Pick<KnownRateLimit, "window" | "shared">
  >;
  if ([requests, reads, writes].every((count) => count === undefined))
    throw new TypeError(
      "rateLimit says no limit. Give { requests } where the service counts all requests together, or { reads, writes }.",
    );
  if (requests !== undefined && (reads ?? writes) !== undefined)
    throw new TypeError(
      "rateLimit has requests and also reads or writes. Give { requests } where the service counts all requests together, or { reads, writes }.",
    );
  const counts = requests === undefined ? { reads, writes } : { requests };
  for (const [name, count] of Object.entries(counts))
    if (!Number.isSafeInteger(count) || Number(count) < 1)
      throw new TypeError(
        `rateLimit.${name} must be a whole number from 1 up. Give rateLimit ${EXAMPLES}: { requests }, or { reads, writes }.`,
      );
  if (window !== undefined) checkInteger("rateLimit.window", window, 1, DAY, "milliseconds");
  if (shared !== undefined && !(hasMethod(shared, "take") && hasMethod(shared, "block")))
    throw new TypeError(
      "rateLimit.shared must be what redisRateLimit or postgresRateLimit returns.",
    );
  return option;
}
