import { MARK } from "./observed-rules.ts";
import type { Service } from "@fieldmesh/sandbox/internal/services";
import type { Row } from "./operations.ts";
import { isStatedStatus } from "./stated.ts";

/** Tells whether the contract does not state that a call fails with a status. */
export function isObservedStatus({ endpoint }: Row, status: number): boolean {
  return !isStatedStatus(endpoint.route, status);
}

/** The contract: "Request and response shapes of these endpoints: not shown". */
const WITHOUT_RESPONSES = new Set(["mobile"]);

/** Tells whether the contract shows no response of a service, and so no status of a success. */
export function hasObservedSuccess({ name }: Service): boolean {
  return WITHOUT_RESPONSES.has(name);
}

/** Tells whether the doc comment of a row marks a status: `@throws An ApiError with 404: Device not found (observed)`. */
export function marksStatus({ text }: Row, status: number): boolean {
  const sentences = [...(text.description ?? "").split(/(?<=\.)\s+/), ...(text.throws ?? [])];
  return sentences.some(
    (sentence) => new RegExp(`\\b${status}\\b`).test(sentence) && sentence.includes(MARK),
  );
}
