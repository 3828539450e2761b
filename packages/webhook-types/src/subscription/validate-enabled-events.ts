import type { EarlierEventType } from "../events/event-types.ts";
import { currentEventTypes, earlierEventTypes } from "../events/event-types.ts";
import { familyOf, familyOfPattern } from "../events/pattern.ts";
import { nearest } from "./nearest.ts";

/** One pattern that the service would refuse, or that matches nothing. */
export interface EnabledEventProblem {
  readonly pattern: string;
  readonly reason: "malformed" | "unknown_type" | "unknown_family" | "earlier_type";
  readonly message: string;
}

/**
 * Checks patterns for `enabled_events` against a catalog, and gives what is wrong; an empty list is fine.
 *
 * Pass the list that `GET /v1/reference/event_types` answers: it is authoritative. Without it the current types of
 * this version count, and the types of the earlier catalog are refused.
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
  const types = new Set(catalog);
  const families = new Set([...types].map(familyOf));
  return [...patterns].flatMap((pattern) => problemOf(pattern, types, families) ?? []);
}

function problemOf(
  pattern: string,
  types: ReadonlySet<string>,
  families: ReadonlySet<string>,
): EnabledEventProblem | undefined {
  if (pattern === "*" || types.has(pattern)) return undefined;
  const family = familyOfPattern(pattern);
  if (family !== undefined) {
    if (families.has(family)) return undefined;
    return refuse(
      "unknown_family",
      pattern,
      `no type begins with "${family}."`,
      hint(family, families, ".*"),
    );
  }
  if (isEarlier(pattern))
    return refuse("earlier_type", pattern, `of an earlier catalog${today(pattern)}`);
  if (pattern.includes("*"))
    return refuse("malformed", pattern, 'a pattern is a type, a family such as "sim.*", or "*"');
  return refuse("unknown_type", pattern, "not in the catalog", hint(pattern, types, ""));
}

function refuse(
  reason: EnabledEventProblem["reason"],
  pattern: string,
  what: string,
  advice = "",
): EnabledEventProblem {
  return { pattern, reason, message: `"${pattern}": ${what}.${advice}` };
}

function hint(text: string, candidates: ReadonlySet<string>, suffix: string): string {
  const found = nearest(text, candidates);
  return found === undefined ? "" : ` Did you mean "${found}${suffix}"?`;
}

function today(type: EarlierEventType): string {
  const name = TODAY[type];
  return name === undefined ? " and without a successor" : `; today it is ${name}`;
}

function isEarlier(type: string): type is EarlierEventType {
  return (earlierEventTypes as readonly string[]).includes(type);
}

/** What has become of the types of the earlier catalog. */
const TODAY: Readonly<Record<EarlierEventType, string | undefined>> = {
  "sim.ordered": "sim.provisioned",
  "sim.reinstated": "sim.restored",
  "sim.swap_completed": "sim.swapped",
  "port.validation_success": undefined,
  "port.validation_failed": undefined,
  "port.scheduled": undefined,
  "port_out.requested": "port.out_validation_requested",
  "port_out.completed": "port.out_completed",
  "carrier_connection.verify_failed": "likely carrier_connection.auth_failed",
  "usage.threshold_crossed":
    "usage.data_threshold_crossed, usage.voice_threshold_crossed and usage.sms_threshold_crossed",
  "event.delivery_failed": undefined,
};
