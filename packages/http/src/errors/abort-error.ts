import { CallError, type CallContext } from "./call-error.ts";

/**
 * Thrown when your signal aborts a call. `cause` is the reason of the signal.
 *
 * `outcome` tells whether the request had been sent by then.
 */
export class AbortError extends CallError {
  protected static override readonly errorName: string = "AbortError";

  constructor(context: CallContext, reason: unknown) {
    super(context, "was aborted by its signal.", advice(context), { cause: reason });
  }
}

function advice({ outcome, route }: CallContext): string {
  if (outcome === "not_sent") return "Nothing was sent.";
  if (outcome === "applied") return "It was carried out, but its response was not read to the end.";
  if (outcome === "rejected" || route.startsWith("GET ")) return "Nothing was changed.";
  return "It may have been carried out: check that before you send it again.";
}
