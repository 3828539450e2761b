import type { FetchMistake } from "./fetch-mistake.ts";
import type { Outcome } from "../errors/call-error.ts";
import type { RawResponse } from "./fetch-attempt.ts";
import type { NetworkFailure } from "./network-failure.ts";
import type { Service } from "../options/service.ts";

/**
 * How an attempt failed: the server rejected it, the network broke, the time ran out, the caller ended it, or the function that
 * fetches has a mistake. A held call
 * was not sent at all: the response is that of another call, whose 429 asks for a longer wait than this one may last. Without a key it was not sent either.
 */
export type AttemptFailure =
  | { readonly kind: "response"; readonly response: RawResponse }
  | ({ readonly kind: "mistake" } & FetchMistake)
  | { readonly kind: "held"; readonly response: RawResponse }
  | { readonly kind: "key"; readonly happened: string; readonly thrown?: unknown }
  | ({ readonly kind: "network" } & NetworkFailure)
  | { readonly kind: "timeout" }
  /** A mistake of ours, or of something that the runtime lacks. */
  | { readonly kind: "unforeseen"; readonly thrown: Error | undefined }
  /** `isUnsent`: a hook aborted the signal before the request was handed to fetch. */
  | { readonly kind: "aborted"; readonly isUnsent?: boolean };

/** Carries a failure through ky. */
export class AttemptFailed extends Error {
  readonly failure: AttemptFailure;

  constructor(failure: AttemptFailure) {
    super("attempt failed");
    this.failure = failure;
  }
}

/** What the error of an attempt says. */
export function readFailure(error: unknown, signal: AbortSignal | undefined): AttemptFailure {
  if (error instanceof AttemptFailed) return error.failure;
  if (signal?.aborted === true) return { kind: "aborted" };
  // sendOnce turns all of fetch's errors into AttemptFailed, so what ended an attempt is ky's own time-out.
  const { name } = Object(error) as { name?: unknown };
  if (name === "TimeoutError" || name === "AbortError") return { kind: "timeout" };
  return { kind: "unforeseen", thrown: error instanceof Error ? error : undefined };
}

/** A failure below HTTP in a word. */
export function nameOf(failure: Exclude<AttemptFailure, { response: RawResponse }>): string {
  return failure.kind === "network" ? failure.code : failure.kind;
}

/**
 * What a call may have done, from all of its attempts: one attempt that may have been carried out stays possible
 * whatever the later ones met. A read changes nothing, so there only the last one counts.
 *
 * A response that an earlier request is in flight leaves open what that one does, unless a later response shows it.
 */
export function outcomeOf(
  method: string,
  failures: readonly AttemptFailure[],
  { isInFlight }: Pick<Service, "isInFlight">,
): Outcome {
  const outcomes = failures.map((failure) => outcomeOfOne(failure, method));
  const last = failures.at(-1);
  if (method === "GET") return outcomes.at(-1) ?? "not_sent";
  const isOpen = last?.kind === "response" && isInFlight?.(last.response) === true;
  if (isOpen || outcomes.includes("unknown")) return "unknown";
  return outcomes.at(-1) ?? "not_sent";
}

function outcomeOfOne(failure: AttemptFailure, method: string): Outcome {
  if (failure.kind === "network") return failure.outcome;
  if (failure.kind === "held" || failure.kind === "key") return "not_sent";
  if (failure.kind === "aborted" && failure.isUnsent === true) return "not_sent";
  if (failure.kind !== "response") return "unknown";
  const { status } = failure.response;
  // After a write, 303 and in practice 301 and 302 point to its result. 307 and 308 ask to send the same request elsewhere, so nothing was done.
  // Some runtimes return a status below 200, which settles nothing.
  if (status <= 306 && method !== "GET") return "unknown";
  // 408: the server gave up waiting, or a proxy did; the server behind it may have continued.
  return status >= 500 || status === 408 ? "unknown" : "rejected";
}
