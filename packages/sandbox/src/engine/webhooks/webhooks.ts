import type { Secret, Clock } from "@fieldmesh/core";
import type { EventType, WebhookEvent } from "@fieldmesh/webhook-types";
import type { Overrides } from "@fieldmesh/webhook-types/samples";
import type { DeliveryRecord, Disturbance } from "./delivery.ts";
import type { EndpointOptions, EndpointRecord } from "./endpoint.ts";
import type { StoredEvent } from "./event-copies.ts";

/** The webhooks of a sandbox: endpoints, events and their deliveries. Nothing here shows a one-time code or an address. */
export interface Webhooks {
  /** Registers a webhook endpoint. Throws a TypeError for one that cannot work. */
  register(options: EndpointOptions): EndpointRecord;
  /** Adds a secret, which signs beside the one before; with `keepOld: false` it signs alone, which ends a rotation. */
  rotate(endpointId: string, options?: { readonly keepOld?: boolean }): Secret;
  /** Registers nothing any more; deliveries that wait end as they are. */
  unregister(endpointId: string): void;
  /**
   * Makes a realistic event of any type, with what you want otherwise merged into it, and delivers it. Resolves when all
   * that is due has had its response; a retry is due later on the sandbox's clock.
   *
   * A type that is not in the catalog makes an event too, as a newer service would send it.
   */
  trigger<Type extends EventType>(
    type: Type,
    overrides?: Overrides<WebhookEvent<Type>>,
  ): Promise<StoredEvent>;
  trigger(type: string, overrides?: object): Promise<StoredEvent>;
  /** Delivers an event of these data, and waits for nothing: for services of the sandbox whose state has changed. */
  emit(type: string, data: object, options?: EmitOptions): StoredEvent;
  /** Resolves when no attempt is under way and none is due now. */
  idle(): Promise<void>;
  /** Advances the virtual clock from one attempt to the next and waits for each response. TypeError for a real clock. */
  advance(ms: number): Promise<void>;
  /** What happens to deliveries from now on. @default nothing */
  disturb(disturbance: Disturbance): void;
  /** All of them, oldest first. */
  deliveries(): DeliveryRecord[];
  /** Those that were given up. */
  deadLetters(): DeliveryRecord[];
  /** Delivers again by hand, whatever became of it, and waits for the response. */
  replay(deliveryId: string): Promise<DeliveryRecord>;
  /** The events as `GET /events` has them: without codes, orders without the recipient's e-mail and address. */
  events(): StoredEvent[];
  readonly endpoints: readonly EndpointRecord[];
}

export interface EmitOptions {
  /** Whether the event is of the live environment. @default false */
  readonly livemode?: boolean | undefined;
}

/** What webhooks need. */
export interface WebhooksSetting {
  readonly clock: Clock;
  readonly seed: number | string;
}
