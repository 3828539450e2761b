import {
  aFunction,
  anything,
  checkValidation,
  isRecord,
  milliseconds,
  mustBe,
  options,
  trueOrFalse,
  wholeNumber,
  type OptionTable,
  type Validation,
} from "@fieldmesh/core/internal";
import type { FetchFunction } from "../wire/fetch-attempt.ts";
import type { Drift } from "./drift.ts";
import { checkHooks, type Hooks } from "./hooks.ts";
import { checkLogger, type Logger } from "./logger.ts";
import { checkRateLimit, type RateLimitOption } from "../limit/rate-limit-option.ts";

/** The options of every client, besides its credential. */
export interface ClientOptions {
  /**
   * The address of the service, such as `https://console.example.com`. Required: no host is published. A path prefix is kept.
   * Plain `http://` with a credential is rejected unless the host is loopback.
   */
  baseUrl: string | URL;
  /**
   * Sends the requests instead of the global `fetch`. Use it for a proxy, a custom agent, or a unit test without a server. It is
   * called with a URL string and must support `signal` and `redirect: "manual"`.
   *
   * @default globalThis.fetch - read at each request, so that MSW and others can replace it after the client was created
   * @example
   * ```ts
   * import { dispatchFetch } from "@fieldmesh/console-client/undici";
   * import { ProxyAgent } from "undici";
   * const dispatcher = new ProxyAgent("http://proxy.internal:3128");
   * const client = createConsoleClient({ baseUrl, apiKey, fetch: dispatchFetch({ dispatcher }) });
   * ```
   */
  fetch?: FetchFunction | undefined;
  /**
   * Milliseconds for one attempt, including its body.
   *
   * @default 30_000 - not in the spec; the device list of the console took over 2 s (observed)
   */
  timeout?: number | undefined;
  /**
   * Milliseconds for a whole call, including retries and waits.
   *
   * @default 120_000 - not in the spec; enough for all attempts and a Retry-After of a minute
   */
  totalTimeout?: number | undefined;
  /** How failed requests are retried. `false` sends every request once. */
  retry?: RetryOptions | false | undefined;
  /**
   * How many requests the service allows. Further calls wait for a permit, in the order of the calls, at most until
   * `totalTimeout`. Set a number of requests per minute, one of the observed {@link rateLimits}, or `{ reads, writes }` with
   * `shared` if several processes use one limit. `false` sends every request immediately.
   *
   * @default - learned from the `RateLimit` headers of responses; without those headers, no call waits
   */
  rateLimit?: RateLimitOption;
  /**
   * How many requests may be in progress at the same time, reads and writes together. Further calls wait, also those with
   * `retry: false`, at most until `totalTimeout`; the wait does not count for `timeout`. `false` sets no limit, for a `fetch` that sends
   * all requests over one connection (HTTP/2).
   *
   * @default 64 - not in the spec; with those that are about to be reused, 64 requests keep at most 128 connections, half of the 256 files that small hosts allow
   */
  maxConcurrent?: number | false | undefined;
  /**
   * How to treat a response that contradicts the contract. `"strict"` throws a `ResponseValidationError`. `"warn"` calls
   * `onDrift` and returns the response, converted where possible. `"off"` returns the same without a report.
   *
   * A difference from something that the contract does not state never throws: even under `"strict"`, it is reported and
   * returned.
   *
   * @default the mode that `setDefaultValidation` has set for the process, or `"strict"`
   */
  validation?: Validation | undefined;
  /**
   * Receives every response that does not fit, with a count for each place.
   *
   * @default - under `"warn"`, one `console.warn` for each place; otherwise none
   */
  onDrift?: ((drift: Drift) => void) | undefined;
  /**
   * Checks and normalizes the input as running deployments require, beyond the contract. Set `false` for a deployment that
   * accepts other input. Set `true` to find its errors before anything is sent.
   *
   * @default - see the client
   */
  observedRules?: boolean | undefined;
  /**
   * Headers for every request. The header of the credential cannot be set here. `user-agent` replaces the package and its version,
   * and is always sent, because the ledger responds with 429 without one.
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Functions that observe requests and responses, in redacted form. */
  hooks?: Hooks | undefined;
  /**
   * Receives the log of the client: `console`, or a logger of pino or winston. Requests and responses are `debug`, waits for a
   * rate limit `info`, other retries and drift `warn`. A failed call is `error`, or `info` if the service rejected the request or
   * your signal aborted it. All entries are redacted like those for hooks. If the logger throws, calls continue, and the first
   * error is printed.
   *
   * @default - no log
   * @example
   * ```ts
   * const client = createConsoleClient({ baseUrl, apiKey, logger: { ...console, debug: () => undefined } });
   * ```
   */
  logger?: Logger | undefined;
  /**
   * Allows a credential over plain `http://` to a host that is not loopback.
   *
   * @default false
   */
  allowInsecureHttp?: boolean | undefined;
  /**
   * Allows a credential in a web page, where everyone who opens the page can read it. Not needed in a back-end or a worker, with
   * a base URL on loopback, or with a custom `fetch`.
   *
   * @default false
   */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** How failed requests are retried. */
export interface RetryOptions {
  /**
   * The maximum number of requests of a call, including the first. A request that receives a 429 does not count: the call
   * waits until the limit allows it, at most until `totalTimeout`. With 1, as with `retry: false`, a 429 is an error
   * immediately, and no call waits.
   *
   * @default 3
   */
  attempts?: number | undefined;
  /**
   * The upper limit of the first wait, in milliseconds. It doubles for each further wait, and each wait is a random part of it.
   * @default 300
   */
  baseDelay?: number | undefined;
  /** The longest wait in milliseconds, unless the server asks for a longer one. @default 10_000 */
  maxDelay?: number | undefined;
}

/** The checks of {@link ClientOptions}, for the table of each client. */
export const clientTable: OptionTable<ClientOptions> = {
  // The base URL and the headers are checked together with the credential.
  baseUrl: { required: anything },
  headers: anything,
  fetch: aFunction,
  timeout: /* @__PURE__ */ milliseconds(),
  totalTimeout: /* @__PURE__ */ milliseconds(),
  retry: checkRetry,
  rateLimit: checkRateLimit,
  maxConcurrent: (value, name) => (value === false ? value : aCount(value, name)),
  validation: checkValidation,
  onDrift: aFunction,
  observedRules: trueOrFalse,
  hooks: checkHooks,
  logger: checkLogger,
  allowInsecureHttp: trueOrFalse,
  dangerouslyAllowBrowser: trueOrFalse,
};

const aCount = /* @__PURE__ */ wholeNumber(1, undefined, "requests at once, or false");

const readRetryOptions = /* @__PURE__ */ options<RetryOptions>("retry", {
  attempts: /* @__PURE__ */ wholeNumber(1, 20),
  baseDelay: /* @__PURE__ */ milliseconds(0),
  maxDelay: /* @__PURE__ */ milliseconds(0),
});

/** Checks an option `retry`, of a client or of a call. */
export function checkRetry(value: unknown, name: string): RetryOptions | false {
  if (value === false) return false;
  if (isRecord(value)) return readRetryOptions(value, name);
  throw mustBe(name, "false or an object, such as { attempts: 5 }", value);
}
