import { isError } from "@fieldmesh/core/internal";
import type { Outcome } from "../errors/call-error.ts";

/** What a failure below HTTP means for the request. */
export interface NetworkFailure {
  readonly code: string;
  readonly outcome: Extract<Outcome, "not_sent" | "unknown">;
  readonly happened: string;
  /** What to do, if checking baseUrl and the network is not it. */
  readonly advice?: string;
  /** Whether another attempt would fail in the same way. */
  readonly final: boolean;
}

const NOT_FOUND = /^(ENOTFOUND|EAI_\w+|EDNS\w*)$/;
const NOT_CONNECTED =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket)$/;
/** The process has no file, or the machine no port, for another connection. */
const TOO_MANY = /^(EMFILE|ENFILE|EADDRNOTAVAIL)$/;
// A message from fetch of Node, which sets no code. Such a call is not repeated.
const NOT_ALLOWED_TEXT = /(^| )bad port( |$)/;
// Only errors that precede any request. Other TLS errors can also occur in the middle of a response.
const NOT_TRUSTED =
  /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS|handshake.failure|unsupported.protocol|protocol.version|unrecognized.name/i;

const NOT_HTTPS = /wrong.version.number/i;

/**
 * Reads an error of fetch. Returns `not_sent` only if the runtime says that there was no connection. Anything unrecognized is
 * `unknown`, because a request that may have arrived must not be sent twice. The code of an error decides. Its message, which may
 * concern another request of the caller's function, decides only on a port that Node does not allow, and on an EPROTO of TLS.
 */
export function readNetworkFailure(error: unknown): NetworkFailure {
  const found = causes(error);
  const codes = found.flatMap(({ code }) => code ?? []);
  const code = codes[0] ?? "NETWORK_ERROR";
  const text = found.map(({ message }) => message).join(" ");
  const coded = found.filter((each) => each.code !== undefined);
  const all = (test: (each: Cause) => boolean): boolean => coded.length > 0 && coded.every(test);
  const notSent = (happened: string, final: boolean, advice?: string): NetworkFailure => ({
    code,
    outcome: "not_sent",
    happened,
    final,
    ...(advice !== undefined && { advice }),
  });

  if (all(isTooMany))
    return notSent(
      "too many connections are open at once",
      false,
      "make fewer calls at once, or raise the limit of open files (ulimit -n)",
    );
  if (all(isNotFound)) return notSent("the host was not found", false);
  if (all((each) => isNotFound(each) || isNotConnected(each) || isTooMany(each)))
    return notSent("no connection could be made", false);
  if (NOT_HTTPS.test(`${codes.join(" ")} ${codes.includes("EPROTO") ? text : ""}`))
    return notSent(
      "the server speaks http instead of https",
      true,
      "set baseUrl to http://, or to the port of https",
    );
  if (NOT_TRUSTED.test(codes.join(" ")) || (codes.includes("EPROTO") && NOT_TRUSTED.test(text)))
    return notSent("the server's certificate or TLS was not accepted", true);
  if (NOT_ALLOWED_TEXT.test(text)) return notSent("fetch does not connect to this port", true);
  return {
    code,
    outcome: "unknown",
    happened: "the connection broke before the response was complete",
    final: false,
  };
}

interface Cause {
  readonly code: string | undefined;
  readonly message: string;
  readonly syscall: unknown;
  readonly inHandshake: boolean;
}

function isNotFound({ code }: Cause): boolean {
  return code !== undefined && NOT_FOUND.test(code);
}

function isNotConnected({ code, syscall, inHandshake }: Cause): boolean {
  return inHandshake || syscall === "connect" || (code !== undefined && NOT_CONNECTED.test(code));
}

function isTooMany(each: Cause): boolean {
  const { code = "", syscall } = each;
  // A function fetch may open files of its own.
  return TOO_MANY.test(code) && (code === "EADDRNOTAVAIL" || CONNECTING.has(syscall));
}

const CONNECTING: ReadonlySet<unknown> = new Set(["getaddrinfo", "socket", "connect"]);

const MAX_DEPTH = 5;
// The slash occurs in the code ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE of OpenSSL 3.5.
const CODE = /^[A-Z]\w{2,59}$|^ERR_SSL_SSL\/TLS_\w{2,48}$/;

/** Returns an error and its causes, innermost first. Keeps only codes that look like one, because other strings may contain a URL. */
function causes(error: unknown, depth = 0): Cause[] {
  if (typeof error !== "object" || error === null || depth > MAX_DEPTH) return [];
  const { cause, code, errors, message, syscall, host } = error as Partial<Record<string, unknown>>;
  // Several addresses of a host were tried. The code of each attempt counts, and the code of the whole does not.
  if (Array.isArray(errors)) return errors.flatMap((each) => causes(each, depth + 1));
  const own = {
    code: isError(error) && typeof code === "string" && CODE.test(code) ? code : undefined,
    message: typeof message === "string" ? message : "",
    syscall,
    // With this code, Node sets the host only if a TLS server closes the connection during the handshake.
    inHandshake: code === "ECONNRESET" && syscall === undefined && typeof host === "string",
  };
  return [...causes(cause, depth + 1), own];
}

/** A description of a bug in the fetch function, with the error that it threw. */
export interface FetchMistake {
  /** Completes "the function fetch …". */
  readonly happened: string;
  readonly thrown?: Error;
}

const PROGRAMMING_ERROR = /^(Reference|Syntax|Range)Error$/;
// How runtimes and libraries describe a network failure in a TypeError without a code or a cause.
const NETWORK =
  /network|fetch failed|failed to fetch|load failed|terminated|error sending request|connection|socket|offline|bad port|timed? ?out|abort/i;

/** Returns the bug if an error from fetch shows one. Returns `undefined` if it may be a network failure. */
export function findThrownMistake(error: unknown): FetchMistake | undefined {
  if (!isError(error)) return undefined;
  const { name, message, cause } = error;
  const isTypeError =
    name === "TypeError" && cause === undefined && !("code" in error) && !NETWORK.test(message);
  if (!isTypeError && !PROGRAMMING_ERROR.test(name)) return undefined;
  return { happened: `threw a ${name}`, thrown: error };
}
