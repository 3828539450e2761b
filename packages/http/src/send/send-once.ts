import { monotonicClock } from "@fieldmesh/core/internal";
import { AttemptFailed, type AttemptFailure } from "./failure.ts";
import { fetchAttempt, findReturnedMistake, type FetchFunction } from "../wire/fetch-attempt.ts";
import type { BegunResponse } from "../wire/open-list.ts";
import { readBody, readError, type FetchedResponse } from "../wire/read-body.ts";
import { secretCheckOf } from "../request/secrets.ts";
import { findThrownMistake, readNetworkFailure } from "../wire/network-failure.ts";
import { BROKEN_OFF, parseBody, TRUNCATED } from "../response/parse-body.ts";
import type { PreparedCall, Success } from "./prepared-call.ts";

/** Reads a response, as far as it must have arrived before an attempt ends. */
type ReadResponse = (response: FetchedResponse) => Promise<BegunResponse>;

/** What is left of the time of an attempt when it stops to wait for the body of an error. In milliseconds. */
const RESERVE = 20;

/** Sends one request and reads its response within `timeLeft`. Throws AttemptFailed for anything but a 2xx. */
export async function sendOnce(
  call: PreparedCall,
  signal: AbortSignal,
  timeLeft: number,
  read: ReadResponse = (response) => readBody(response, call.settings.maxResponseBytes),
): Promise<Success> {
  // The last step before fetch.
  if (call.fence !== undefined && call.fence.timeLeft() <= 0) call.fence.reject();
  if (signal.aborted || call.signal?.aborted === true)
    throw new AttemptFailed({ kind: "aborted", isUnsent: true });
  const end = monotonicClock.now() + timeLeft - RESERVE;
  const response = await receive(call, signal, (fetched) =>
    fetched.ok ? read(fetched) : readError(fetched, end - monotonicClock.now()),
  );
  const isSuccess = response.status >= 200 && response.status <= 299;
  if (!isSuccess) throw new AttemptFailed({ kind: "response", response });
  const value = parseBody(call.endpoint.row, response);
  if (value === TRUNCATED)
    throw new AttemptFailed({ kind: "network", ...BROKEN_OFF, status: response.status });
  return { response, value };
}

async function receive(
  call: PreparedCall,
  signal: AbortSignal,
  read: ReadResponse,
): Promise<BegunResponse> {
  const { request, headers, settings, base } = call;
  const { method, body } = request;
  // Called without `settings` as `this`: the fetch of a page or a worker throws for another `this`.
  const { fetch } = settings;
  let status: number | undefined;
  const fetchChecked: FetchFunction = async (url, fetchInit) => {
    const fetched = await fetch(url, fetchInit);
    const mistake = findReturnedMistake(fetched);
    if (mistake !== undefined) throw new AttemptFailed({ kind: "mistake", ...mistake });
    ({ status } = fetched);
    return fetched;
  };
  const init = { method, headers, signal, ...(body !== undefined && { body }) };
  try {
    return await fetchAttempt(fetchChecked, request.url, init, { base, read });
  } catch (error) {
    throw new AttemptFailed(readThrown(call, error, status));
  }
}

/** Returns the failure that an error of the request describes. `status` is that of its response, if one arrived. */
export function readThrown(
  call: PreparedCall,
  error: unknown,
  status: number | undefined,
): AttemptFailure {
  try {
    if (error instanceof AttemptFailed) return error.failure;
    // workerd reports a damaged body with a plain TypeError.
    const mistake = status === undefined ? findThrownMistake(error) : undefined;
    if (mistake !== undefined) return { kind: "mistake", ...mistake };
    const failure = readNetworkFailure(error);
    // The code of an error from a custom fetch may contain anything, such as a part of the URL.
    const code = secretCheckOf(call)(failure.code) ? "NETWORK_ERROR" : failure.code;
    return { kind: "network", ...failure, code, status };
  } catch {
    // The thrown value cannot be read.
    return { kind: "network", ...readNetworkFailure(undefined), status };
  }
}
