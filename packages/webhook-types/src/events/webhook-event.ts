import type {
  EventMap,
  FamilyMap,
  PatternMap,
  PsimOrder,
  PsimOrderEvents,
  SecretFieldMap,
} from "./generated/interfaces.ts";
import type { EventOf } from "./envelope.ts";

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

/** An order in `/events`, without its recipient, who is only added to a delivered webhook. */
export interface StoredPsimOrder extends PsimOrder {
  /** Redacted. The spec does not show in which form; other redacted fields are `null`. */
  email?: null | undefined;
  /** Redacted, like the email address. */
  shipping_address?: null | undefined;
}

/**
 * Stored events by type. Each is assignable to its webhook event, and its type declares what it lacks: the secrets of its schema,
 * and the recipient of an order. The spec says so of the one-time code and the recipient, and nothing of the activation code.
 *
 * Use it for handlers that only receive stored events: `createEventRouter<StoredEventMap>({ … })`.
 */
export type StoredEventMap = {
  [Type in keyof EventMap]: Type extends keyof SecretFieldMap
    ? EventMap[Type] & { data: { object: { [Field in SecretFieldMap[Type]]?: undefined } } }
    : Type extends keyof PsimOrderEvents
      ? EventOf<Type, StoredPsimOrder>
      : EventMap[Type];
};

/** A verification in `/events`, without the one-time code, which only the signed webhook contains. */
export type StoredCpniVerification =
  StoredEventMap["cpni.verification.requested"]["data"]["object"];

/**
 * A SIM in `/events`. Only a webhook endpoint that names the type receives the activation code. The spec does not say whether
 * `/events` has it: the type declares that it does not, so that no code is stored.
 */
export type StoredSim = StoredEventMap["sim.activated"]["data"]["object"];

/**
 * A stored event of a known type, from `/events`. Pass a type or a family to narrow it. `parseEvent(event, { source: "store" })`
 * returns it.
 *
 * @example
 * ```ts
 * function mirror(event: StoredWebhookEvent<"psim_order.*">) {}
 * ```
 */
export type StoredWebhookEvent<Pattern extends EventPattern = "*"> =
  StoredEventMap[TypesOf<Pattern>];
