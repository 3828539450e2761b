import type { Outcome } from "../errors/call-error.ts";

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
// Other runtimes have no codes, and Node none for a TLS server that hangs up during the handshake.
const NOT_CONNECTED_TEXT =
  /dns error|tcp connect error|Connection refused|before secure TLS connection/i;
const NOT_ALLOWED_TEXT = /bad port/;
// Only what is reported before anything can be sent; other errors of TLS come in the middle of a response as well.
const NOT_TRUSTED =
  /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS|wrong.version.number|handshake.failure|unsupported.protocol|protocol.version|unrecognized.name/i;

/**
 * Reads what fetch threw. `not_sent` only where the runtime says that there was no connection; everything that is
 * not recognised is `unknown`, because a request that may have arrived must not be sent twice.
 */
export function readNetworkFailure(error: unknown): NetworkFailure {
  const found = causes(error);
  const codes = found.flatMap(({ code }) => code ?? []);
  const code = codes[0] ?? "NETWORK_ERROR";
  const text = found.map(({ message }) => message).join(" ");
  const coded = found.filter((each) => each.code !== undefined);
  const all = (test: (each: Cause) => boolean): boolean => coded.length > 0 && coded.every(test);
  const notSent = (happened: string, final: boolean): NetworkFailure => ({
    code,
    outcome: "not_sent",
    happened,
    final,
  });

  if (all(isNotFound)) return notSent("the host was not found", false);
  if (all((each) => isNotFound(each) || isNotConnected(each)) || NOT_CONNECTED_TEXT.test(text))
    return notSent("no connection could be made", false);
  if (NOT_TRUSTED.test(codes.join(" ")) || (codes.includes("EPROTO") && NOT_TRUSTED.test(text)))
    return notSent("the server's certificate or TLS was not accepted", true);
  if (NOT_ALLOWED_TEXT.test(text)) return notSent("fetch does not connect to this port", true);
  return {
    code,
    outcome: "unknown",
    happened: "the connection broke before a whole answer was there",
    final: false,
  };
}

interface Cause {
  readonly code: string | undefined;
  readonly message: string;
  readonly syscall: unknown;
}

function isNotFound({ code }: Cause): boolean {
  return code !== undefined && NOT_FOUND.test(code);
}

function isNotConnected({ code, syscall }: Cause): boolean {
  return syscall === "connect" || (code !== undefined && NOT_CONNECTED.test(code));
}

const MAX_DEPTH = 5;

/** An error and its causes, innermost first. Of codes only what looks like one, because other strings may contain a URL. */
function causes(error: unknown, depth = 0): Cause[] {
  if (typeof error !== "object" || error === null || depth > MAX_DEPTH) return [];
  const { cause, code, errors, message, syscall } = error as Partial<Record<string, unknown>>;
  // Several addresses of one host were tried: each attempt counts, the collective code does not.
  if (Array.isArray(errors)) return errors.flatMap((each) => causes(each, depth + 1));
  const own = {
    code: typeof code === "string" && /^[A-Z]\w{2,59}$/.test(code) ? code : undefined,
    message: typeof message === "string" ? message : "",
    syscall,
  };
  return [...causes(cause, depth + 1), own];
}
