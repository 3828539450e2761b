import type { EventMap, FamilyMap } from "./generated/interfaces.ts";

export type { EventMap, FamilyMap } from "./generated/interfaces.ts";

/** A type that this version knows. */
export type EventType = keyof EventMap;

export type EventFamily = keyof FamilyMap;

/** A type, all types of a family (`sim.*` takes in `sim.a.b` too), or all types. */
export type EventPattern = EventType | `${EventFamily}.*` | "*";

/**
 * The known types that a pattern matches.
 *
 * It looks a family up instead of comparing every type with a template: a tenth of the work for the compiler.
 */
export type TypesOf<Pattern extends EventPattern> = Pattern extends EventType
  ? Pattern
  : Pattern extends `${infer Family extends EventFamily}.*`
    ? keyof FamilyMap[Family] & EventType
    : EventType;

/**
 * An event of a known type, discriminated by `type`; or those of one type or family.
 *
 * @example
 * ```ts
 * function welcome(event: WebhookEvent<"sim.activated">) {}
 * function mirror(event: WebhookEvent<"subscription.*">) {}
 * ```
 */
export type WebhookEvent<Pattern extends EventPattern = "*"> = EventMap[TypesOf<Pattern>];
