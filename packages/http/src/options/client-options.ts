import { checkOptionNames, type Validation } from "@fieldmesh/core";
import type { FetchFunction } from "../send/fetch-attempt.ts";
import type { Drift } from "../response/drift.ts";
import type { Hooks } from "./hooks.ts";
import type { Logger } from "./logger.ts";
import type { RateLimitOption } from "../limit/rate-limit-option.ts";

/** Options of every client, beside its credential. */
export interface ClientOptions {
  /**
   * Where the service is reached, such as `https://console.example.com`. Required: no host is published. It may carry
   * a path prefix, which is kept. Plain `http://` with a credential is rejected unless the host is loopback.
   */
  baseUrl: string | URL;
  /**
   * Sends the requests instead of the global `fetch`: for a proxy, a custom agent, or a unit test without a server.
   * It is called with a URL as text and must honour `signal` and `redirect: "manual"`.
   *
   * @default globalThis.fetch - the one of the moment, so that MSW and others may replace it after the client was made
   * @example
   * ```ts
   * import { ProxyAgent, fetch as undiciFetch } from "undici";
   * const dispatcher = new ProxyAgent("http://proxy.internal:3128");
   * const client = createConsoleClient({
   *   baseUrl, apiKey,
   *   fetch: async (url, { headers, ...init }) =>
   *     (await undiciFetch(url, { ...init, headers: Object.fromEntries(headers), dispatcher })) as unknown as Response,
   * });
   * ```
   */
  fetch?: FetchFunction | undefined;
  /**
   * Milliseconds for one attempt, its body included.
   *
   * @default 30_000 - not in the spec; the console's device list was seen to take over 2 s
   */
  timeout?: number | undefined;
  /**
   * Milliseconds for a whole call, retries and waits included.
   *
   * @default 120_000 - not in the spec; room for all attempts and a Retry-After of a minute
   */
  totalTimeout?: number | undefined;
  /** How failed requests are retried; `false` sends every request once. */
  retry?: RetryOptions | false | undefined;
  /**
   * How many requests the service allows. Calls beyond it wait for their turn, in the order in which they were made, at most until `totalTimeout`. Give
   * a number of requests a minute, one of the {@link rateLimits} that were seen, or `{ reads, writes }` with `shared` where several
   * processes use one limit. `false` sends every request at once.
   *
   * @default - learned from the `RateLimit` headers of responses; without them nothing is held back
   */
  rateLimit?: RateLimitOption;
  /**
   * What happens to a response that contradicts the contract: `"strict"` throws a `ResponseValidationError`, `"warn"` calls
   * `onDrift` and returns what came, converted where it can be, `"off"` returns that and reports nothing.
   *
   * What the contract does not state never throws: it is reported and returned under `"strict"` too.
   *
   * @default the mode that `setDefaultValidation` has set for the process, or "strict"
   */
  validation?: Validation | undefined;
  /**
   * Receives every response that does not fit, with a count for each place.
   *
   * @default - under `"warn"`, one `console.warn` for each place; otherwise nothing
   */
  onDrift?: ((drift: Drift) => void) | undefined;
  /**
   * Checks and normalizes the input as running deployments require, beyond what the contract states. Set `false` for a deployment
   * that accepts other input; set `true` to find its errors before anything is sent.
   *
   * @default - see the client
   */
  observedRules?: boolean | undefined;
  /**
   * The User-Agent header.
   *
   * @default the package and its version - one is always sent, because the ledger responds with 429 without it
   */
  userAgent?: string | undefined;
  /** Headers for every request. The credential's header cannot be set here. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The largest body that is read, in bytes after decompression.
   *
   * @default 134_217_728 - 128 MiB: a list of about 200,000 devices, which the console returns in one piece
   */
  maxResponseBytes?: number | undefined;
  /** Functions that watch requests and responses, in redacted form. */
  hooks?: Hooks | undefined;
  /**
   * Receives the log of the client: `console`, or a logger of pino or winston. Requests and responses are `debug`, waits for a rate limit `info`, other
   * retries and drift `warn`. A call that rejects is `error`, or `info` where the service rejected the request or your signal ended it.
   * Everything is redacted, as for hooks. What the logger throws changes no call, and is printed once.
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
   * Allows a credential in a web page, where everyone who opens the page can read it. A back-end, a worker, a base URL on loopback
   * and a client with its own `fetch` do not need it.
   *
   * @default false
   */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** How failed requests are retried. */
export interface RetryOptions {
  /**
   * Requests a call may take, the first included. One that meets a 429 does not count: the call waits until the limit allows
   * it, at most until `totalTimeout`. With 1, as with `retry: false`, a 429 is an error at once and no call waits.
   *
   * @default 3
   */
  attempts?: number | undefined;
  /** Milliseconds of the first wait; each further one is twice as long, and a random part of it is waited. @default 300 */
  baseDelay?: number | undefined;
  /** The longest wait that is not asked for by the server, in milliseconds. @default 10_000 */
  maxDelay?: number | undefined;
}

const CLIENT_OPTIONS: Readonly<Record<keyof ClientOptions, true>> = {
  baseUrl: true,
  fetch: true,
  timeout: true,
  totalTimeout: true,
  retry: true,
  rateLimit: true,
  validation: true,
  onDrift: true,
  observedRules: true,
  userAgent: true,
  headers: true,
  maxResponseBytes: true,
  hooks: true,
  logger: true,
  allowInsecureHttp: true,
  dangerouslyAllowBrowser: true,
};

/** Throws a TypeError for an option that a client does not have; `own` are those that only this client has. */
export function checkClientOptionNames(options: ClientOptions, own: readonly string[]): void {
  checkOptionNames("The client", options, [...Object.keys(CLIENT_OPTIONS), ...own]);
}
