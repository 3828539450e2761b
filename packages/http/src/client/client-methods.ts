import type { IdempotentCallOptions } from "../options/call-options.ts";
import type { RateLimitState } from "../limit/rate-limit-option.ts";
import type { AnyRequest } from "../request/any-request.ts";
import type { Chosen } from "../table/caller-schema.ts";

/** The methods of every client besides its resources. */
export interface ClientMethods<Client, Options> {
  /**
   * Sends a request to an endpoint that has no method yet, with the same credential, headers, timeouts, retries, limits and errors as
   * every call. A POST or PATCH that may have been carried out is not sent twice.
   *
   * Returns the body as the service sent it, or the output of `schema`. The client does not know which of its fields are secret,
   * so hooks and errors show nothing of `query` and `body`.
   *
   * @throws An {@link ApiError} for every error status
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const frames = await client.request({
   *   method: "GET",
   *   path: `/api/v1/devices/${encodeURIComponent(id)}/frames`,
   *   query: { limit: 10 },
   *   schema: z.array(z.object({ fcnt: z.number() })),
   * });
   * ```
   */
  readonly request: <T = unknown>(
    request: AnyRequest<T>,
    options?: IdempotentCallOptions,
  ) => Promise<Chosen<T>>;

  /** The rate limits of the service, as far as the client knows them. */
  readonly rateLimit: {
    /**
     * Returns the current limits, as far as they are known, and the number of waiting calls.
     *
     * @throws Nothing: it sends no request
     * @example
     * ```ts
     * const { waiting, nextAt } = client.rateLimit.state().writes;
     * ```
     */
    readonly state: () => RateLimitState;
  };

  /**
   * Creates a client with some options changed. Each option that you pass replaces the whole option of this client. The
   * credential stays the same unless you pass another. While the credential and `baseUrl` are the same, both clients share rate
   * limits and the retry budget.
   *
   * @throws A TypeError for invalid options
   * @example
   * ```ts
   * const patient = client.withOptions({ totalTimeout: 10 * 60_000, validation: "warn" });
   * ```
   */
  readonly withOptions: (options: Partial<Options>) => Client;
}
