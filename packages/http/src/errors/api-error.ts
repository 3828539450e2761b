import { Secret } from "@fieldmesh/core";
import { CallError, type CallContext } from "./call-error.ts";
import { STATUS } from "./statuses.ts";

/** What an error body says about a failure, without anything that must not be shown. */
export interface ApiErrorDetails {
  /** A short message from the service, or from the row. It contains no value of the request. */
  readonly message?: string | undefined;
  /** A stable code to branch on, if the service sends one. */
  readonly code?: string | undefined;
  /** What the service says about single fields. */
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined;
  /** What you can do about it. */
  readonly advice?: string | undefined;
}

/** The facts that an {@link ApiError} is created from. */
export interface ApiErrorInit extends ApiErrorDetails {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly retryAt?: Date | undefined;
}

/**
 * Thrown when the server responds with a status that is not a success.
 *
 * @example
 * ```ts
 * const label = await client.labels.get({ label_id }).catch((error: unknown) => {
 *   if (isApiError(error, 404)) return undefined;
 *   throw error;
 * });
 * ```
 */
export class ApiError extends CallError {
  /** The HTTP status of the last response. */
  readonly status: number;
  /** The service's own code for the failure, or `undefined` if it has none. */
  readonly code: string | undefined;
  /** What the service says about single fields. Empty if it says nothing. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** When the server accepts the call again, or `undefined` if it does not say. */
  readonly retryAt: Date | undefined;
  /** The id under which the server logged the request, or `undefined` if it sends none. */
  readonly requestId: string | undefined;
  /** The body of the response. Printing the error does not show it, because it may repeat what you sent. */
  readonly body: Secret;
  readonly #headers: Readonly<Record<string, string>>;

  protected static override readonly errorName: string = "ApiError";

  constructor(context: CallContext, init: ApiErrorInit) {
    const detail = init.message === undefined ? "" : `: ${init.message}`;
    const isOwn = context.attempts.length > 0;
    super(
      context,
      `${isOwn ? "failed with" : "was not sent, because another call failed with"} ${init.status}${detail}.`,
      init.advice ?? defaultAdvice(context, init),
    );
    this.status = init.status;
    this.code = init.code;
    this.fields = init.fields ?? {};
    this.retryAt = init.retryAt;
    this.requestId = init.requestId;
    this.body = new Secret(init.body);
    this.#headers = init.headers;
  }

  /** The headers of the response. Headers with a credential show `[redacted]`. */
  get headers(): Readonly<Record<string, string>> {
    return { ...this.#headers };
  }
}

function defaultAdvice(context: CallContext, { status, retryAt }: ApiErrorInit): string {
  const mayBeDone = context.outcome === "unknown" && !context.route.startsWith("GET ");
  const [method = ""] = context.route.split(" ");
  if (mayBeDone && (retryAt === undefined || isOnlyOnce(method)))
    return "It may have been carried out: check that before you send it again.";
  if (retryAt !== undefined)
    return `The server asks to wait: call again after ${retryAt.toISOString()}.`;
  if (status >= 300 && status < STATUS.badRequest) {
    return "Redirects outside baseUrl are not followed: set baseUrl to the address that serves the API.";
  }
  if (status === STATUS.unauthorized)
    return "Check the credential that the client was created with.";
  if (status === STATUS.forbidden)
    return "The credential is not allowed to do this: use one that has the permission.";
  if (status === STATUS.notFound) {
    return context.route.includes("/:")
      ? "Not found for this client: check the id or name, and that baseUrl and the credential belong to its environment."
      : "Check baseUrl: the path of the route is added to it.";
  }
  if (status === STATUS.tooManyRequests)
    return "Call again later, or allow retries: the call then waits by itself, at most until totalTimeout.";
  if (status < STATUS.internalError && status !== STATUS.requestTimeout)
    return "Correct the input: the same request would fail again.";
  return "The server failed. Call again later.";
}

/** Returns true for a method that has another effect each time it is carried out. */
export function isOnlyOnce(method: string): boolean {
  return method === "POST" || method === "PATCH";
}
