import { CallError, type CallContext } from "./call-error.ts";

/**
 * Thrown when no complete response arrives: the host was not found, or the connection was rejected, reset or cut off.
 *
 * `outcome` tells whether the request may have been carried out: `not_sent` or `unknown`.
 */
export class ConnectionError extends CallError {
  /** The code of the runtime, such as `ECONNREFUSED`, `ENOTFOUND` or `UND_ERR_SOCKET`. */
  readonly code: string;
  /** Whether a later call may succeed. False if the certificate is rejected, or fetch blocks the port. */
  readonly mayPass: boolean;

  protected static override readonly errorName: string = "ConnectionError";

  constructor(
    context: CallContext,
    code: string,
    happened: string,
    mayPass: boolean,
    check = "check baseUrl and the network, then call again",
  ) {
    super(context, `failed: ${happened} (${code}).`, advice(context, check));
    this.code = code;
    this.mayPass = mayPass;
  }
}

function advice({ outcome, route }: CallContext, check: string): string {
  if (outcome === "not_sent") return `Nothing was sent; ${check}.`;
  if (route.startsWith("GET ")) return "Nothing was changed; call again later.";
  return "It may have been carried out: check that before you send it again.";
}
