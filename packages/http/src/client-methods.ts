import type { IdempotentCallOptions } from "./options/call-options.ts";
import type { RateLimitState } from "./limit/rate-limit-option.ts";
import type { AnyRequest } from "./request/any-request.ts";
import type { Chosen } from "./table/caller-schema.ts";

/** What every client has beside its resources. */
export interface ClientMethods<Client, Options> {
  /**
   * Sends a request to an endpoint that the client has no method for, with the same credential, headers, time-outs, retries, limits
   * and errors as every call. A POST or PATCH that may have been carried out is not sent twice.
   *
   * The output is the body as it came, or what `schema` makes of it; the client does not know which of its fields are secret.
   * Hooks and errors show nothing of `query` and `body`.
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

  /** The limits of the service, as far as the client knows them. */
  readonly rateLimit: {
    /**
     * Returns what is known of the limits at the moment, and how many calls wait.
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
   * Creates a client that differs in some options; each replaces this client's option whole. The credential is the same unless you change it.
   * As long as it and `baseUrl` are the same, both clients count as one for rate limits and retries.
   *
   * @throws A TypeError for options that cannot work
   * @example
   * ```ts
   * const patient = client.withOptions({ totalTimeout: 10 * 60_000, validation: "warn" });
   * ```
   */
  readonly withOptions: (options: Partial<Options>) => Client;
}
