import type { EventFamily, EventPattern, EventType } from "./event-map.ts";
import { eventTypes } from "./event-types.ts";

const types: ReadonlySet<string> = /* @__PURE__ */ new Set(eventTypes);
const families: ReadonlySet<string> = /* @__PURE__ */ new Set(eventTypes.map(familyOf));

/** What stands before the first dot of a type. */
export function familyOf(type: string): string {
  const dot = type.indexOf(".");
  return dot === -1 ? type : type.slice(0, dot);
}

/** The family of `sim.*`; `undefined` for any other pattern. */
export function familyOfPattern(pattern: string): string | undefined {
  return /^([^.*]+)\.\*$/.exec(pattern)?.[1];
}

function isType(text: string): text is EventType {
  return types.has(text);
}

function isFamily(text: string): text is EventFamily {
  return families.has(text);
}

/** Tells whether a text is a pattern of this catalog: a known type, a known family, or `*`. */
export function isPattern(text: string): text is EventPattern {
  return text === "*" || isType(text) || isFamily(familyOfPattern(text) ?? "");
}

/** Tells whether a pattern of `enabled_events` takes in a type, known or not. */
export function matches(pattern: string, type: string): boolean {
  return pattern === "*" || pattern === type || familyOfPattern(pattern) === familyOf(type);
}
