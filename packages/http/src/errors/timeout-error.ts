import { CallError, type CallFacts } from "./call-error.ts";

/** Which limit ran out: that of one attempt, or that of the whole call. */
export type TimeoutScope = "timeout" | "totalTimeout";

/**
 * The response did not come in time.
 *
 * The server may still be working on the request: `outcome` is `unknown` once it was sent.
 */
export class TimeoutError extends CallError {
  /** The option whose limit ran out. */
  readonly limit: TimeoutScope;

  static {
    this.prototype.name = "TimeoutError";
  }

  constructor(
    facts: CallFacts,
    limit: TimeoutScope,
    milliseconds: number,
    isWaitingForTurn = false,
  ) {
    const happened = isWaitingForTurn
      ? `was not sent: the rate limit had no room for it within ${milliseconds} ms (${limit}).`
      : `got no complete response within ${milliseconds} ms (${limit}).`;
    super(facts, happened, `${unitOf(milliseconds)}${advice(facts, limit)}`);
    this.limit = limit;
  }
}

/** A number this small was perhaps meant in seconds. */
const PERHAPS_SECONDS = 300;

function unitOf(milliseconds: number): string {
  return milliseconds > PERHAPS_SECONDS
    ? ""
    : `The option is in milliseconds: ${milliseconds} seconds are ${milliseconds * 1000}. `;
}

function advice({ route, outcome }: CallFacts, limit: TimeoutScope): string {
  const allow = `Allow more with the option ${limit}`;
  if (outcome === "applied")
    return `It was carried out; only the schema that the call was given did not end. ${allow}.`;
  if (outcome === "not_sent" || route.startsWith("GET ")) return `${allow}, or call again later.`;
  return `The server may still be working on it: read back before you send it again. ${allow}.`;
}
