import type { Outcome } from "./errors/call-error.js";

/** What a failure below HTTP means for the request. */
export interface NetworkFailure {
  readonly code: string;
  readonly outcome: Extract<Outcome, "not_sent" | "unknown">;
  readonly happened: string;
  /** Another attempt would meet the same. */
  readonly final: boolean;
}

const NOT_FOUND = /^(ENOTFOUND|EAI_\w+|EDNS\w*)$/;
const NOT_CONNECTED =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket)$/;
const NOT_TRUSTED = /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|EPROTO/;

/**
 * Reads what fetch threw. `not_sent` only where the runtime says that no connection stood; everything that is
 * not recognised is `unknown`, because a request that may have arrived must not be sent twice.
 */
export function readNetworkFailure(error: unknown): NetworkFailure {
  const codes = causes(error);
  const code = codes[0] ?? "NETWORK_ERROR";
  if (codes.length > 0 && codes.every((each) => NOT_FOUND.test(each))) {
    return { code, outcome: "not_sent", happened: "the host was not found", final: false };
  }
  if (codes.length > 0 && codes.every((each) => NOT_CONNECTED.test(each) || NOT_FOUND.test(each))) {
    return { code, outcome: "not_sent", happened: "no connection could be made", final: false };
  }
  if (codes.some((each) => NOT_TRUSTED.test(each))) {
    return {
      code,
      outcome: "not_sent",
      happened: "the server's certificate or TLS was not accepted",
      final: true,
    };
  }
  if (/bad port|dns error|tcp connect error|Connection refused/i.test(messages(error))) {
    return { code, outcome: "not_sent", happened: "no connection could be made", final: false };
  }
  return {
    code,
    outcome: "unknown",
    happened: "the connection broke before a whole answer was there",
    final: false,
  };
}

const MAX_DEPTH = 5;

/** The codes of an error and its causes, innermost first; only what looks like a code, because texts may hold a URL. */
function causes(error: unknown, depth = 0): string[] {
  if (typeof error !== "object" || error === null || depth > MAX_DEPTH) return [];
  const { cause, code, errors } = error as { cause?: unknown; code?: unknown; errors?: unknown };
  // Several addresses of one host were tried: each attempt counts, the collective code does not.
  if (Array.isArray(errors)) return errors.flatMap((each) => causes(each, depth + 1));
  const own = typeof code === "string" && /^\w{3,60}$/.test(code) ? [code] : [];
  return [...causes(cause, depth + 1), ...own];
}

function messages(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return "";
  return `${error.message} ${messages(error.cause, depth + 1)}`;
}
