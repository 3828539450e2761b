import type { EventMap, FamilyMap } from "./generated/interfaces.ts";

export type { EventMap, FamilyMap } from "./generated/interfaces.ts";

/** An event type that this version knows. */
export type EventType = keyof EventMap;

/** The part of an event type before its first dot, such as `sim`. */
export type EventFamily = keyof FamilyMap;

type GroupOf<Type> = Type extends `${infer Family}.${infer Part}.${string}`
  ? `${Family}.${Part}`
  : never;

/** The parts of an event type of three parts before its last dot, such as `cpni.verification`. */
export type EventGroup = GroupOf<EventType>;

/** The types of a group. */
export type TypesOfGroup<Group extends EventGroup> = Extract<EventType, `${Group}.${string}`>;

/** A type, all types that begin with whole parts (`sim.*` includes `sim.a.b`, as does `sim.a.*`), or all types (`*`). */
export type EventPattern = EventType | `${EventFamily | EventGroup}.*` | "*";

/**
 * The known types that a pattern matches.
 *
 * Looks up the family, which costs the compiler a tenth of the time that comparing every type with a template would take.
 */
export type TypesOf<Pattern extends EventPattern> = Pattern extends EventType
  ? Pattern
  : Pattern extends `${infer Family extends EventFamily}.*`
    ? keyof FamilyMap[Family] & EventType
    : Pattern extends `${infer Group extends EventGroup}.*`
      ? TypesOfGroup<Group>
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
