import {
  isRecord,
  milliseconds,
  mistake,
  mustBe,
  options,
  wholeNumber,
  withMethods,
} from "@fieldmesh/core/internal";

/** The number of requests that a service allows within a window. */
export interface RequestLimit {
  /** The limit for all requests together. */
  readonly requests: number;
}

/** The numbers of requests that a service allows within a window, if it counts reads and writes separately. */
export interface ReadWriteLimit {
  /** GET requests. */
  readonly reads: number;
  /** All other requests. */
  readonly writes: number;
}

/** A limit that you know, and who shares it. */
export type KnownRateLimit = (RequestLimit | ReadWriteLimit) & {
  /** The window of the service in milliseconds. @default 60_000 - the observed limits are per minute */
  readonly window?: number | undefined;
  /** Where several processes count together: the result of `redisRateLimit` or `postgresRateLimit`. */
  readonly shared?: SharedRateLimit | undefined;
};

/** Counts the requests of several processes. */
export interface SharedRateLimit {
  /**
   * Takes one request of a window. Resolves with the milliseconds until the next try, or with 0 if it took one. Calls wait for it
   * at most 500 ms.
   */
  take(counter: SharedCounter): Promise<number>;
  /** Blocks all processes for some milliseconds, because the service has rejected a request. */
  block(counter: SharedCounter, milliseconds: number): Promise<void>;
  /**
   * Receives the error when `take` or `block` rejects, or has not settled within 500 ms. Each process then counts alone for 10 s, and
   * up to a minute if it happens again. It is called once for each such time.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Identifies the shared counter and its limit. */
export interface SharedCounter {
  /** A SHA-256 hash of base URL and credential, followed by `reads`, `writes` or `requests`. */
  readonly key: string;
  readonly limit: number;
  /** The window in milliseconds. */
  readonly window: number;
}

/** What a client knows about its limits. */
export interface RateLimitState {
  /** The limit of GET requests. It has the same numbers as `writes` if the service counts all requests together. */
  readonly reads: LimitState;
  /** The limit of all other requests. */
  readonly writes: LimitState;
}

/** What a client knows about one limit. */
export interface LimitState {
  /** The requests that are allowed within a window, if known. */
  readonly limit: number | undefined;
  /** The source of the limit: the option, or the responses of the service. */
  readonly source: "option" | "service" | undefined;
  /** The requests that may be sent now, if a limit is known. */
  readonly left: number | undefined;
  /** The requests without a response yet. */
  readonly inFlight: number;
  /** The calls that wait for a permit. */
  readonly waiting: number;
  /** When the next waiting call may be sent, if known. `undefined` if none waits. */
  readonly nextAt: Date | undefined;
}

/**
 * The limits that deployments were seen to enforce, per minute and IP address. The spec states none. (observed)
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
const EXAMPLES = "false, a number of requests a minute, or limits such as rateLimits.mobile";

/** Returns the option `rateLimit`, or throws a TypeError that says what to write. */
export function checkRateLimit(option: unknown): NonNullable<RateLimitOption> {
  if (option === false) return option;
  const value = typeof option === "number" ? { requests: option } : option;
  if (!isRecord(value)) throw mustBe("rateLimit", EXAMPLES, value);
  const limits = readLimits(value, "rateLimit");
  const { requests, reads, writes } = limits;
  const countsTogether = requests !== undefined;
  if ([reads, writes].some((count) => (count === undefined) !== countsTogether))
    throw mistake(
      "rateLimit must have either { requests }, if the service counts all requests together, or both { reads, writes }.",
    );
  return typeof option === "number" ? option : (limits as KnownRateLimit);
}

type AnyLimit = Partial<RequestLimit & ReadWriteLimit> & Pick<KnownRateLimit, "window" | "shared">;

const aCount = /* @__PURE__ */ wholeNumber(
  1,
  undefined,
  "requests for each window, or rateLimit must be false",
);

const readLimits = /* @__PURE__ */ options<AnyLimit>("rateLimit", {
  requests: aCount,
  reads: aCount,
  writes: aCount,
  window: /* @__PURE__ */ milliseconds(1, DAY),
  shared: /* @__PURE__ */ withMethods(
    "the result of redisRateLimit or postgresRateLimit",
    "take",
    "block",
  ),
});
