import { didYouMean } from "../events/show-name.ts";
import {
  type EarlierEventType,
  currentEventTypes,
  earlierEventTypes,
} from "../events/event-types.ts";
import { successors } from "../events/generated/event-types.ts";
import { patternsOf, prefixOfPattern } from "../events/pattern.ts";
import { requires, readInput } from "@fieldmesh/core/internal";

/** A pattern that the service would reject, or that matches nothing. */
export interface EnabledEventProblem {
  readonly pattern: string;
  readonly reason: "malformed" | "unknown_type" | "unknown_family" | "earlier_type";
  readonly message: string;
}

/**
 * Checks patterns for `enabled_events` against a catalog. Returns the problems, or an empty list.
 *
 * Pass the list from `GET /v1/reference/event_types`, which is authoritative. Without it, the current types of this version are
 * accepted, and the types of the earlier catalog are rejected. The default subscription of an endpoint is `*`.
 *
 * @example
 * ```ts
 * for (const { message } of validateEnabledEvents(["sim.*", "sim.reinstated"])) console.error(message);
 * ```
 */
export function validateEnabledEvents(
  patterns: Iterable<string>,
  catalog: Iterable<string> = currentEventTypes,
): EnabledEventProblem[] {
  checkTexts("validateEnabledEvents", patterns);
  const types = new Set(catalog);
  const known = new Set([...types].flatMap(patternsOf));
  return [...patterns].flatMap((pattern) => checkPattern(pattern, types, known) ?? []);
}

function checkPattern(
  pattern: string,
  types: ReadonlySet<string>,
  known: ReadonlySet<string>,
): EnabledEventProblem | undefined {
  const problem = (reason: EnabledEventProblem["reason"], what: string, advice = "") => ({
    pattern,
    reason,
    message: `"${pattern}": ${what}.${advice}`,
  });
  if (pattern === "*" || types.has(pattern)) return undefined;
  const prefix = prefixOfPattern(pattern);
  if (prefix !== undefined && known.has(pattern)) return undefined;
  if (prefix !== undefined)
    return problem("unknown_family", `no type begins with "${prefix}"`, didYouMean(pattern, known));
  if (isEarlier(pattern))
    return problem("earlier_type", `of an earlier catalog${successorOf(pattern)}`);
  if (!pattern.includes("*"))
    return problem("unknown_type", "not in the catalog", didYouMean(pattern, types));
  const form = 'a pattern is a type, the whole parts at its beginning such as "sim.*", or "*"';
  return problem("malformed", form, didYouMean(pattern, known));
}

function successorOf(type: EarlierEventType): string {
  const successor = successors[type];
  return successor === undefined ? " and without a successor" : `; today it is ${successor}`;
}

function isEarlier(type: string): type is EarlierEventType {
  return (earlierEventTypes as readonly string[]).includes(type);
}

export function checkTexts(owner: string, given: Iterable<string>): void {
  readInput(`The argument of ${owner}`, () => {
    const isList = typeof given === "object" && given !== null && Symbol.iterator in given;
    if (!isList || ![...given].every((each) => typeof each === "string"))
      throw requires(owner, "a list of strings", given);
  });
}
