import { isRecord } from "@fieldmesh/core";

/** A description of a bug in the fetch function, with the error that it threw. */
export interface FetchMistake {
  /** Completes "the function fetch …". */
  readonly happened: string;
  readonly thrown?: Error;
}

const PROGRAMMING_ERRORS = new Set(["ReferenceError", "SyntaxError", "RangeError"]);
// How runtimes and libraries describe a network failure in a TypeError without a code or a cause.
const NETWORK =
  /network|fetch failed|failed to fetch|load failed|terminated|error sending request|connection|socket|offline|bad port|timed? ?out|abort/i;

/** Returns the bug if an error from fetch shows one. Returns `undefined` if it may be a network failure. */
export function findThrownMistake(error: unknown): FetchMistake | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message, cause } = error;
  const isTypeError =
    name === "TypeError" && cause === undefined && !("code" in error) && !NETWORK.test(message);
  if (!isTypeError && !PROGRAMMING_ERRORS.has(name)) return undefined;
  return { happened: `threw a ${name}`, thrown: error };
}

/**
 * Returns the bug if the result of fetch cannot be read as a response. Checks the members, because there may be several Response
 * classes.
 */
export function findReturnedMistake(response: unknown): FetchMistake | undefined {
  if (!isRecord(response)) {
    const kind = response === null ? "null" : typeof response;
    return { happened: `returned ${kind} instead of a response` };
  }
  const { status, headers, body } = response;
  const missing = [
    typeof status === "number" ? undefined : "status",
    isRecord(headers) && typeof headers["get"] === "function" ? undefined : "headers.get",
    body === null || isStream(body) ? undefined : "a body that is a stream or null",
  ].filter((each) => each !== undefined);
  if (missing.length === 0) return undefined;
  return { happened: `returned an object without ${missing.join(" and ")}` };
}

/** Tells whether a body is a ReadableStream, or a Node stream as in node-fetch. */
function isStream(body: unknown): boolean {
  return (
    isRecord(body) && (typeof body["getReader"] === "function" || Symbol.asyncIterator in body)
  );
}
