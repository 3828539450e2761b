import type { FetchMistake } from "../wire/network-failure.ts";
import type { Outcome } from "../errors/call-error.ts";
import type { RawResponse } from "../wire/read-body.ts";
import type { NetworkFailure } from "../wire/network-failure.ts";
import type { TimeLimit } from "../wire/deadline.ts";
import { isTimeoutOfKy } from "./ky.ts";
import type { Service } from "../options/service.ts";
import { STATUS } from "../errors/statuses.ts";

/**
 * How an attempt failed: the server rejected it, the network failed, a timeout expired, the caller aborted it, or the custom
 * fetch function has a bug. A held call was not sent: its response is the 429 of another call, which asks for a longer wait than
 * this call may last. A call without a key was not sent either.
 */
export type AttemptFailure =
  | { readonly kind: "response"; readonly response: RawResponse }
  | ({ readonly kind: "mistake" } & FetchMistake)
  | { readonly kind: "held"; readonly response: RawResponse }
  | { readonly kind: "key"; readonly happened: string; readonly thrown?: Error }
  /** `status` is that of a response whose body broke off. */
  | ({ readonly kind: "network"; readonly status?: number | undefined } & NetworkFailure)
  | ({ readonly kind: "timeout" } & TimeLimit)
  /** The call ended while it waited, before its next request. */
  | { readonly kind: "unsent"; readonly whyUnsent?: string }
  /** A bug of ours, or a feature that the runtime lacks. */
  | { readonly kind: "unforeseen"; readonly thrown: Error }
  /** `isUnsent`: a hook aborted the signal before the request was passed to fetch. */
  | { readonly kind: "aborted"; readonly isUnsent?: boolean };

/** The call ended before its next request. */
export const UNSENT = { kind: "unsent" } as const;

/** What a failure says about the end of its call. */
export interface CallEnd {
  /** When the service accepts the call again, if it says so. */
  readonly retryAt?: Date | undefined;
  /** Why the attempt that was planned does not follow. */
  readonly whyEnded?: string | undefined;
}

/** Carries a failure through the steps of an attempt. */
export class AttemptFailed extends Error {
  readonly failure: AttemptFailure;
  readonly end: CallEnd;

  constructor(failure: AttemptFailure, end: CallEnd = {}) {
    super("attempt failed");
    this.failure = failure;
    this.end = end;
  }
}

/** Returns the failure that an error of an attempt describes. `limit` is the one that ends the attempt. */
export function readFailure(
  error: unknown,
  signal: AbortSignal | undefined,
  limit: TimeLimit,
): AttemptFailure {
  if (error instanceof AttemptFailed) return error.failure;
  if (signal?.aborted === true) return { kind: "aborted" };
  // sendOnce converts all errors of fetch to AttemptFailed, so any other error is a timeout of ky.
  return isTimeoutOfKy(error) ? { kind: "timeout", ...limit } : unforeseen(error);
}

/** Only a bug, or a runtime that lacks a feature, throws anything else. */
export function unforeseen(error: unknown): AttemptFailure {
  return { kind: "unforeseen", thrown: Object(error) as Error };
}

/** Names a failure below HTTP in one word. */
export function nameOf(failure: AttemptFailure): string {
  return failure.kind === "network" ? failure.code : failure.kind;
}

/** Names any failure: by its status, or by what failed below HTTP. */
export function codeOf(failure: AttemptFailure): number | string {
  return failure.kind === "response" ? failure.response.status : nameOf(failure);
}

/** Returns the status of the response that failed an attempt, if one arrived. */
export function statusOf(failure: AttemptFailure): number | undefined {
  if (failure.kind === "network") return failure.status;
  return failure.kind === "response" ? failure.response.status : undefined;
}

/**
 * Returns what a call may have done, from all of its attempts. If one attempt may have been carried out, later failures do not
 * change that. A read changes nothing, so only its last attempt counts.
 *
 * If a response says that an earlier request is still in progress, its result is unknown, unless a later response shows it.
 */
export function outcomeOf(
  method: string,
  end: { readonly failures: readonly AttemptFailure[]; readonly last: AttemptFailure },
  { isInFlight }: Pick<Service, "isInFlight">,
): Outcome {
  const { failures, last } = end;
  const outcome = outcomeOfOne(last, method);
  if (method === "GET") return outcome;
  const isOpen = last.kind === "response" && isInFlight?.(last.response) === true;
  const isUnknown = failures.some((each) => outcomeOfOne(each, method) === "unknown");
  return isOpen || isUnknown ? "unknown" : outcome;
}

function outcomeOfOne(failure: AttemptFailure, method: string): Outcome {
  if (failure.kind === "network") return failure.outcome;
  if (["held", "key", "unsent"].includes(failure.kind)) return "not_sent";
  if (failure.kind === "aborted" && failure.isUnsent === true) return "not_sent";
  if (failure.kind !== "response") return "unknown";
  const { status } = failure.response;
  // After a write, 303 and in practice 301 and 302 point to its result. 307 and 308 ask to send the same request elsewhere, so
  // nothing was done.
  // Some runtimes return a status below 200, which says nothing about the result.
  if (status <= 306 && method !== "GET") return "unknown";
  // 408: the server or a proxy stopped waiting. The server behind the proxy may have continued.
  return status >= STATUS.internalError || status === STATUS.requestTimeout
    ? "unknown"
    : "rejected";
}
