import { tell } from "@fieldmesh/core";
import { redactedBody } from "../response/decode.ts";
import { AttemptFailed, type AttemptFailure } from "./failure.ts";
import { findReturnedMistake, findThrownMistake } from "./fetch-mistake.ts";
import { fetchAttempt, type FetchFunction, type RawResponse } from "./fetch-attempt.ts";
import { redactHeaders } from "../request/headers.ts";
import type { CallEvent, RequestEvent, ResponseEvent } from "../options/hooks.ts";
import { readNetworkFailure } from "./network-failure.ts";
import { BROKEN_OFF, parseBody, TRUNCATED } from "../response/parse-body.ts";
import type { PreparedCall } from "../request/prepared-call.ts";

/** A 2xx, with its body as JSON, or as text where it is none. */
export interface Success {
  readonly response: RawResponse;
  readonly value: unknown;
}

/** Sends one request, reads its whole response and calls the hooks; throws AttemptFailed for all but a 2xx. */
export async function sendOnce(
  call: PreparedCall,
  attempt: number,
  signal: AbortSignal,
): Promise<Success> {
  const { bound, request, headers, settings } = call;
  const { hooks, log } = settings;
  const makeRequestEvent = (): RequestEvent => ({
    ...eventOf(call, attempt),
    headers: redactHeaders(headers, secretsOf(call)),
    input: request.redactInput(() => undefined),
  });
  tell("hooks.onRequest", hooks.onRequest, (hook) => hook(makeRequestEvent()));
  log?.request(makeRequestEvent);
  const start = performance.now();
  const response = await receive(call, signal);
  // A function that fetches may ignore the signal: hooks hear nothing of an attempt that has ended.
  signal.throwIfAborted();
  const isSuccess = response.status >= 200 && response.status <= 299;
  const value = isSuccess ? parseBody(bound.row, response) : undefined;
  if (value === TRUNCATED) throw new AttemptFailed({ kind: "network", ...BROKEN_OFF });
  const duration = performance.now() - start;
  const makeResponseEvent = (): ResponseEvent => ({
    ...eventOf(call, attempt),
    status: response.status,
    headers: redactHeaders(response.headers, secretsOf(call)),
    duration,
    bytes: response.bytes,
    body: redactedBody(bound.row, value, secretsOf(call)),
  });
  tell("hooks.onResponse", hooks.onResponse, (hook) => hook(makeResponseEvent()));
  log?.response(makeResponseEvent);
  if (!isSuccess) throw new AttemptFailed({ kind: "response", response });
  return { response, value };
}

async function receive(
  { request, headers, settings, base }: PreparedCall,
  signal: AbortSignal,
): Promise<RawResponse> {
  const { method, body } = request;
  // By itself and not as a method of the settings: the fetch of a page or of a worker throws where `this` is another object.
  const { fetch } = settings;
  const fetchChecked: FetchFunction = async (url, fetchInit) => {
    const fetched = await fetch(url, fetchInit);
    const mistake = findReturnedMistake(fetched);
    if (mistake !== undefined) throw new AttemptFailed({ kind: "mistake", ...mistake });
    return fetched;
  };
  const init = { method, headers, signal, ...(body !== undefined && { body }) };
  try {
    return await fetchAttempt(fetchChecked, request.url, init, {
      base,
      maxBytes: settings.maxResponseBytes,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new AttemptFailed(readThrown(error));
  }
}

function readThrown(error: unknown): AttemptFailure {
  try {
    if (error instanceof AttemptFailed) return error.failure;
    const mistake = findThrownMistake(error);
    if (mistake !== undefined) return { kind: "mistake", ...mistake };
    return { kind: "network", ...readNetworkFailure(error) };
  } catch {
    // What the caller's function threw cannot be read.
    return { kind: "network", ...readNetworkFailure(undefined) };
  }
}

/** Every secret string of the call, in each form in which a server may repeat it. */
export function secretsOf(call: PreparedCall): string[] {
  const texts = hiddenTexts(call);
  // The wire may carry it in another case, because EUIs and keys go out upper-case, and in a URL percent-encoded.
  return texts
    .flatMap((text) => [text, text.toUpperCase()])
    .flatMap((text) => [text, encodeURIComponent(text.toWellFormed())]);
}

/** Every key that was sent, and every secret and personal string of the input. */
export function hiddenTexts({ request, keys }: PreparedCall): string[] {
  const texts = [...keys];
  request.redactInput((text) => texts.push(text));
  return texts;
}

/** What every hook receives. */
export function eventOf({ id, bound }: PreparedCall, attempt: number): CallEvent {
  return { callId: id, call: bound.call, route: bound.row.route, attempt };
}
