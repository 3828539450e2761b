import type * as z from "@fieldmesh/core/internal/zod";
import { FieldmeshError, sayMore } from "@fieldmesh/core/internal";
import { driftOf } from "@fieldmesh/core/internal/schema";
import type { EventProblem } from "../events/envelope.ts";
import type { EventType } from "../events/webhook-event.ts";

/**
 * Thrown for a verified body that is not an event. Under `validation: "strict"`, also thrown for one that contradicts what the
 * spec says about its type.
 *
 * It says where the body does not fit. It contains nothing of the payload: no value, and no key that a schema does not declare.
 */
export class EventParseError extends FieldmeshError {
  protected static override readonly errorName: string = "EventParseError";

  /** The type of the event, if this version knows it. */
  readonly eventType: EventType | undefined;
  readonly problems: readonly EventProblem[];

  constructor(eventType: EventType | undefined, problems: readonly EventProblem[]) {
    const [first] = problems;
    const rest = problems.length > 1 ? ` (${sayMore(problems, 1)})` : "";
    const where = first?.path ? `${first.path}: ` : "";
    super(`Cannot parse ${eventType ?? "an event"}: ${where}${first?.message}${rest}.`);
    this.eventType = eventType;
    this.problems = problems;
  }
}

/** Describes what was expected in our own words, because a message from an error map may quote the value. */
export function problemOf(issue: z.core.$ZodIssue): EventProblem {
  return { path: issue.path.join("."), message: expectationOf(issue) };
}

function expectationOf(issue: z.core.$ZodIssue): string {
  if (driftOf(issue) !== undefined) return issue.message;
  if (issue.code === "invalid_type") return `expected ${issue.expected}`;
  if (issue.code === "invalid_value") return `expected ${issue.values.join(" or ")}`;
  return "does not have the form that the spec defines";
}
