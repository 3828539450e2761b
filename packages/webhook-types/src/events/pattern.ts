import { eventTypes, isEventType } from "./event-types.ts";
import type { EventPattern } from "./webhook-event.ts";

const families: ReadonlySet<string> = /* @__PURE__ */ new Set(eventTypes.map(familyOf));

/** Tells whether there are types of this family. */
export function isFamily(name: string | undefined): boolean {
  return families.has(String(name));
}

/** Returns the pattern of each family, such as `sim.*`. */
export function familyPatterns(): string[] {
  return [...families].map((family) => `${family}.*`);
}

/** Returns the part of a type before the first dot. */
export function familyOf(type: string): string {
  const dot = type.indexOf(".");
  return dot === -1 ? type : type.slice(0, dot);
}

/** Returns the beginning of a pattern such as `sim.*` or `cpni.verification.*`, or `undefined` for any other pattern. */
export function prefixOfPattern(pattern: string): string | undefined {
  return /^((?:[^.*]+\.)+)\*$/.exec(pattern)?.[1];
}

/** Returns the patterns of whole parts that include a type, the longest first: `cpni.verification.*`, `cpni.*`. */
export function patternsOf(type: string): string[] {
  const parts = type.split(".").slice(0, -1);
  return parts.map((_, at) => `${parts.slice(0, parts.length - at).join(".")}.*`);
}

const prefixes: ReadonlySet<string> = /* @__PURE__ */ new Set(eventTypes.flatMap(patternsOf));

/** Tells whether a string is a pattern of this catalog: a known type, the beginning of one such as `sim.*`, or `*`. */
export function isPattern(value: string): value is EventPattern {
  return value === "*" || isEventType(value) || prefixes.has(value);
}

/** Tells whether a pattern of `enabled_events` includes a type, known or not. */
export function matches(pattern: string, type: string): boolean {
  if (pattern === "*" || pattern === type) return true;
  const prefix = prefixOfPattern(pattern);
  return prefix !== undefined && type.startsWith(prefix);
}
