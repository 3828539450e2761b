import ky from "ky";
import { revealText } from "@fieldmesh/core";
import type { Credential } from "./credential.js";
import type { Settings } from "./client-options.js";
import { redactedBody } from "./decode.js";
import { BROKEN_OFF, parseBody, TRUNCATED } from "./parse-body.js";
import type { Attempt } from "./errors/call-error.js";
import { nameOf, type AttemptFailure } from "./failure.js";
import { failureToError } from "./failure-to-error.js";
import { fetchAttempt, type Answer } from "./fetch-attempt.js";
import { redactHeaders } from "./headers.js";
import { notify } from "./hooks.js";
import { readNetworkFailure } from "./network-failure.js";
import type { BoundRow, WireRequest } from "./request.js";
import type { RetryBudget } from "./retry-budget.js";
import { decideRetry } from "./retry-policy.js";
import type { Service } from "./service.js";

/** Everything that a call needs to be sent. */
export interface PreparedCall {
  readonly bound: BoundRow;
  readonly request: WireRequest;
  readonly headers: Headers;
  readonly credential: Credential | undefined;
  readonly settings: Settings;
  readonly base: URL;
  readonly budget: RetryBudget;
  readonly service: Service;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a call up to the allowed number of attempts and gives the successful answer.
 *
 * ky runs the attempts, their time-outs and the waits. It is given neither credential nor body: both stay in this
 * file, so that no error of ky's can hold them.
 */
export async function runAttempts(
  call: PreparedCall,
): Promise<Success & { attempts: readonly Attempt[] }> {
  const { request, settings, budget, signal } = call;
  const attempts: Attempt[] = [];
  const failures: AttemptFailure[] = [];
  const callStart = performance.now();
  let attemptStart = callStart;
  let started = 0;
  let wait = 0;
  let retryAt: Date | undefined;
  let success: Success | undefined;

  const record = (end: Omit<Attempt, "number" | "duration">): void => {
    attempts.push({
      number: started,
      duration: Math.round(performance.now() - attemptStart),
      ...end,
    });
  };

  /** ky asks once after every attempt that failed. */
  const shouldRetry = ({ error }: { error: Error }): boolean => {
    const failure = readFailure(error, signal);
    failures.push(failure);
    const failed = failure.kind === "answer" ? undefined : nameOf(failure);
    if (failed !== undefined) {
      notify(settings.hooks.onFailure, () => ({
        ...eventOf(call, started),
        failure: failed,
        duration: performance.now() - attemptStart,
      }));
    }
    const timeLeft = settings.totalTimeout - (performance.now() - callStart);
    const decision = decideRetry(call, failure, { attempt: started, timeLeft });
    ({ retryAt, wait = 0 } = decision);
    const status = failure.kind === "answer" ? failure.answer.status : undefined;
    record({ status, failure: failed, wait: decision.wait, reason: decision.reason });
    return decision.wait !== undefined;
  };

  try {
    await ky(request.url, {
      method: request.method,
      timeout: settings.timeout,
      totalTimeout: settings.totalTimeout,
      ...(signal !== undefined && { signal }),
      // One more than is allowed, so that ky leaves the last word to shouldRetry as well.
      retry: {
        limit: settings.attempts,
        methods: ["get", "post", "put", "delete"],
        shouldRetry,
        delay: () => wait,
      },
      fetch: async (input) => {
        const attemptSignal = (input as Request).signal;
        attemptSignal.throwIfAborted();
        attemptStart = performance.now();
        started++;
        success = await sendOnce(call, started, attemptSignal);
        return new Response(null);
      },
    });
  } catch {
    const elapsed = performance.now() - callStart;
    throw failureToError(call, {
      attempts,
      failures,
      retryAt,
      elapsed,
      aborted: signal?.aborted === true,
    });
  }
  if (success === undefined) throw new Error("unreachable: ky resolves only after a success");
  record({
    status: success.answer.status,
    failure: undefined,
    wait: undefined,
    reason: "answered",
  });
  budget.succeeded(attempts.length - 1);
  return { ...success, attempts };
}

/** A 2xx, with its body as JSON, or as text where it is none. */
interface Success {
  readonly answer: Answer;
  readonly value: unknown;
}

/** Carries a failure through ky. */
class AttemptFailed extends Error {
  constructor(readonly failure: AttemptFailure) {
    super("attempt failed");
  }
}

function readFailure(error: Error, signal: AbortSignal | undefined): AttemptFailure {
  if (error instanceof AttemptFailed) return error.failure;
  if (signal?.aborted === true) return { kind: "aborted" };
  // Any other error at this place is ky's own time-out: sendOnce turns all of fetch's into AttemptFailed.
  return { kind: "timeout" };
}

async function sendOnce(
  call: PreparedCall,
  attempt: number,
  signal: AbortSignal,
): Promise<Success> {
  const { bound, request, headers, settings } = call;
  const { hooks } = settings;
  notify(hooks.onRequest, () => ({
    ...eventOf(call, attempt),
    headers: redactHeaders(headers),
    input: request.redactInput(() => undefined),
  }));
  const start = performance.now();
  const answer = await receive(call, signal);
  const isSuccess = answer.status >= 200 && answer.status <= 299;
  const value = isSuccess ? parseBody(bound.row, answer) : undefined;
  if (value === TRUNCATED) throw new AttemptFailed({ kind: "network", ...BROKEN_OFF });
  notify(hooks.onResponse, () => ({
    ...eventOf(call, attempt),
    status: answer.status,
    headers: redactHeaders(answer.headers),
    duration: performance.now() - start,
    bytes: answer.bytes,
    body: redactedBody(bound.row, value, secretsOf(call)),
  }));
  if (!isSuccess) throw new AttemptFailed({ kind: "answer", answer });
  return { answer, value };
}

async function receive(
  { request, headers, settings, base }: PreparedCall,
  signal: AbortSignal,
): Promise<Answer> {
  const { method, body } = request;
  const init = { method, headers, signal, ...(body !== undefined && { body }) };
  try {
    return await fetchAttempt(settings.fetch, request.url, init, {
      base,
      maxBytes: settings.maxResponseBytes,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new AttemptFailed({ kind: "network", ...readNetworkFailure(error) });
  }
}

function secretsOf({ request, credential }: PreparedCall): string[] {
  const texts = credential === undefined ? [] : [revealText(credential.value)];
  request.redactInput((text) => texts.push(text));
  // The wire may carry another case of it: EUIs and keys go out upper-case.
  return texts.flatMap((text) => [text, text.toUpperCase()]);
}

function eventOf(
  { bound }: PreparedCall,
  attempt: number,
): { call: string; route: string; attempt: number } {
  return { call: bound.call, route: bound.row.route, attempt };
}
