import { eventTypes, isEventType } from "./event-types.ts";
import type { EventFamily, EventPattern } from "./webhook-event.ts";

const families: ReadonlySet<string> = /* @__PURE__ */ new Set(eventTypes.map(familyOf));

/** Returns the pattern of each family, such as `sim.*`. */
export function familyPatterns(): string[] {
  return [...families].map((family) => `${family}.*`);
}

/** Returns the part of a type before the first dot. */
export function familyOf(type: string): string {
  const dot = type.indexOf(".");
  return dot === -1 ? type : type.slice(0, dot);
}

/** Returns the family of a pattern such as `sim.*`, or `undefined` for any other pattern. */
export function familyOfPattern(pattern: string): string | undefined {
  return /^([^.*]+)\.\*$/.exec(pattern)?.[1];
}

function isFamily(name: string): name is EventFamily {
  return families.has(name);
}

/** Tells whether a string is a pattern of this catalog: a known type, a known family, or `*`. */
export function isPattern(value: string): value is EventPattern {
  return value === "*" || isEventType(value) || isFamily(familyOfPattern(value) ?? "");
}

/** Tells whether a pattern of `enabled_events` includes a type, known or not. */
export function matches(pattern: string, type: string): boolean {
  return pattern === "*" || pattern === type || familyOfPattern(pattern) === familyOf(type);
}
