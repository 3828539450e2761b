import type { Outcome } from "../errors/call-error.ts";
import type { Answer } from "./fetch-attempt.ts";
import type { NetworkFailure } from "./network-failure.ts";
import type { Service } from "../options/service.ts";

/** How an attempt failed: the server said no, the network broke, the time ran out, or the caller ended it. */
export type AttemptFailure =
  | { readonly kind: "answer"; readonly answer: Answer }
  | ({ readonly kind: "network" } & NetworkFailure)
  | { readonly kind: "timeout" }
  | { readonly kind: "aborted" };

/** A failure below HTTP in a word. */
export function nameOf(failure: Exclude<AttemptFailure, { kind: "answer" }>): string {
  return failure.kind === "network" ? failure.code : failure.kind;
}

/**
 * What a call may have done, from all of its attempts: one attempt that may have been carried out stays possible
 * whatever the later ones met. A read changes nothing, so there only the last one counts.
 *
 * An answer that an earlier request is in flight leaves open what that one does, unless a later answer tells it.
 */
export function outcomeOf(
  method: string,
  failures: readonly AttemptFailure[],
  { isInFlight }: Pick<Service, "isInFlight">,
): Outcome {
  const outcomes = failures.map(outcomeOfOne);
  const last = failures.at(-1);
  if (method === "GET") return outcomes.at(-1) ?? "not_sent";
  const isOpen = last?.kind === "answer" && isInFlight?.(last.answer) === true;
  if (isOpen || outcomes.includes("unknown")) return "unknown";
  return outcomes.at(-1) ?? "not_sent";
}

function outcomeOfOne(failure: AttemptFailure): Outcome {
  if (failure.kind === "network") return failure.outcome;
  if (failure.kind !== "answer") return "unknown";
  const { status } = failure.answer;
  // 408: the server gave up waiting, or a proxy did; what stands behind it may have worked on.
  return status >= 500 || status === 408 ? "unknown" : "rejected";
}
