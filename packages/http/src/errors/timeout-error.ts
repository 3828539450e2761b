import { CallError, type CallContext } from "./call-error.ts";

/**
 * Thrown when the response does not arrive in time.
 *
 * The server may still be working on the request, so `outcome` is `unknown` once the request was sent.
 */
export class TimeoutError extends CallError {
  /** The option whose limit expired: that of one attempt, or that of the whole call. */
  readonly limit: "timeout" | "totalTimeout";

  protected static override readonly errorName: string = "TimeoutError";

  constructor(
    context: CallContext,
    limit: TimeoutError["limit"],
    milliseconds: number,
    whyUnsent?: string,
  ) {
    const what =
      whyUnsent === undefined ? "got no complete response" : `was not sent: ${whyUnsent}`;
    const happened = `${what} within ${milliseconds} ms (${limit}).`;
    super(context, happened, `${unitOf(milliseconds)}${advice(context, limit)}`);
    this.limit = limit;
  }
}

/** A number this small may have been meant in seconds. */
const PERHAPS_SECONDS = 300;

function unitOf(milliseconds: number): string {
  return milliseconds > PERHAPS_SECONDS
    ? ""
    : `The option is in milliseconds: ${milliseconds} seconds are ${milliseconds * 1000}. `;
}

function advice({ route, outcome }: CallContext, limit: TimeoutError["limit"]): string {
  const allow = `Allow more with the option ${limit}`;
  if (outcome === "applied")
    return `It was carried out, but the schema of the call did not finish. ${allow}.`;
  if (outcome === "not_sent" || route.startsWith("GET ")) return `${allow}, or call again later.`;
  return `The server may still be working on it: check the result before you send it again. ${allow}.`;
}
