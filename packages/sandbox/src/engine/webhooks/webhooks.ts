import type { Secret } from "@fieldmesh/core";
import type { EventType, WebhookEvent } from "@fieldmesh/webhook-types";
import type { Overrides } from "@fieldmesh/webhook-types/samples";
import type { DeliveryRecord, Disturbance } from "./delivery.ts";
import type { EndpointOptions, EndpointRecord } from "./endpoint.ts";
import type { StoredEvent } from "./event-copies.ts";

/** The webhooks of a sandbox: endpoints, events and their deliveries. Nothing here shows a one-time code or an address. */
export interface Webhooks {
  /** Registers a webhook endpoint. Throws a TypeError for invalid options. */
  register(options: EndpointOptions): EndpointRecord;
  /** Adds a secret, which signs in addition to the previous one. With `keepOld: false`, it signs alone, which ends a rotation. */
  rotate(endpointId: string, options?: { readonly keepOld?: boolean }): Secret;
  /** Removes an endpoint. Waiting deliveries end in their current state. */
  unregister(endpointId: string): void;
  /**
   * Creates a realistic event of any type, merges your changes into it, and delivers it. Resolves when every due attempt has its
   * response. A retry is due later on the sandbox's clock.
   *
   * A type that is not in the catalog does not compile, and rejects with a TypeError that suggests the nearest one. With
   * `unknown: true`, it creates an event too, like a newer service.
   *
   * @example
   * ```ts
   * await sandbox.webhooks.trigger("sim.suspended", { data: { object: { id: "sim_1" } } });
   * await sandbox.webhooks.trigger("sim.teleported", {}, { unknown: true });
   * ```
   */
  trigger<Type extends EventType>(
    type: Type,
    overrides?: Overrides<WebhookEvent<Type>>,
  ): Promise<StoredEvent>;
  trigger(
    type: string,
    overrides: object,
    options: { readonly unknown: true },
  ): Promise<StoredEvent>;
  /**
   * Delivers an event with this data, without waiting. The services of the sandbox call it when their state changes. Throws a
   * TypeError for a type that is not in the catalog, as `trigger` does.
   */
  emit(type: EventType, data: object, options?: EmitOptions): StoredEvent;
  emit(type: string, data: object, options: EmitOptions & { readonly unknown: true }): StoredEvent;
  /** Resolves when no attempt is in progress and none is due now. */
  idle(): Promise<void>;
  /** Advances the virtual clock from one attempt to the next, and waits for each response. Throws a TypeError for a real clock. */
  advance(ms: number): Promise<void>;
  /** Sets the disturbances of all deliveries from now on. @default none */
  disturb(disturbance: Disturbance): void;
  /** The current disturbances. */
  readonly disturbance: Disturbance;
  /** Returns all deliveries, oldest first. */
  deliveries(): DeliveryRecord[];
  /** Returns the deliveries that were given up. */
  deadLetters(): DeliveryRecord[];
  /** Delivers again, whatever the outcome was, and waits for the response. */
  replay(deliveryId: string): Promise<DeliveryRecord>;
  /** Delivers many again, the oldest first. @default those that have failed: dead, or waiting after a failed attempt */
  replayMany(deliveryIds?: readonly string[]): Promise<DeliveryRecord[]>;
  /** Returns the events as in `GET /events`: without codes, and orders without the email and address of the recipient. */
  events(): StoredEvent[];
  readonly endpoints: readonly EndpointRecord[];
}

/** Options of `webhooks.emit`. */
export interface EmitOptions {
  /** Whether the event belongs to the live environment. @default false */
  readonly livemode?: boolean | undefined;
  /** Whether a type that is not in the catalog is accepted. @default false */
  readonly unknown?: boolean | undefined;
}

/** Where the webhooks report what happens to them: the part of the sandbox's feed that concerns them. */
export interface WebhookFeed {
  isWatched(): boolean;
  report(activity: WebhookActivity): void;
}

type WebhookActivity =
  | { readonly kind: "event"; readonly event: StoredEvent }
  | { readonly kind: "delivery"; readonly delivery: DeliveryRecord }
  | { readonly kind: "endpoints" | "disturbance" };
