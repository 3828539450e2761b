import type { CallOptions, IdempotentCallOptions } from "../options/call-options.ts";
import type { Endpoint } from "../table/row.ts";
import type { Pager } from "../pager/page.ts";
import type { PagerOptions } from "../pager/pager-options.ts";
import type { As, Open, RecordOf, Chosen } from "../table/caller-schema.ts";
import type { RateLimitState } from "../limit/rate-limit-option.ts";
import type { AnyRequest } from "../request/any-request.ts";

/** The methods of a table. Each keeps the doc comment of its row. */
export type Methods<T> = { [K in keyof T]: MethodOf<T[K]> };

type MethodOf<E> =
  E extends Endpoint<infer I, infer O, infer Trait>
    ? "page" extends Trait
      ? PageMethod<I, O, PagerOptions>
      : "open" extends Trait
        ? OpenMethod<I, O, OptionsOf<Trait>>
        : Method<I, O, OptionsOf<Trait>>
    : never;

type OptionsOf<Trait> = "keyed" extends Trait ? IdempotentCallOptions : CallOptions;

/** All fields of all members of an input type. */
type KeyOf<I> = I extends unknown ? keyof I : never;

/** A method. A row without fields accepts only options. A row without required fields can be called without input. */
type Method<I, O, Options> = [KeyOf<I>] extends [never]
  ? (options?: Options) => Promise<O>
  : Partial<I> extends I
    ? (input?: I, options?: Options) => Promise<O>
    : (input: I, options?: Options) => Promise<O>;

/**
 * A method for a record that the spec does not describe. With a user's schema, the output has the type of that schema. It has one
 * signature, because two would double every type error, and a type parameter with a default, so that a hover shows the name of
 * the record.
 */
export type OpenMethod<I, O, Options> = [KeyOf<I>] extends [never]
  ? <T = RecordOf<O>>(options?: Open<Options, T>) => Promise<As<O, T>>
  : Partial<I> extends I
    ? <T = RecordOf<O>>(input?: I, options?: Open<Options, T>) => Promise<As<O, T>>
    : <T = RecordOf<O>>(input: I, options?: Open<Options, T>) => Promise<As<O, T>>;

/** A method of a paged list. */
export type PageMethod<I, O, Options> =
  Partial<I> extends I
    ? <T = O>(input?: I, options?: Open<Options, T>) => Pager<As<O, T>>
    : <T = O>(input: I, options?: Open<Options, T>) => Pager<As<O, T>>;

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
