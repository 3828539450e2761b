import { type Clock, stringifyJson } from "@fieldmesh/core";
import { eventTypes, type EventType } from "@fieldmesh/webhook-types";
import { sampleEvent, type Overrides } from "@fieldmesh/webhook-types/samples";
import { nextTurn } from "../time/next-turn.ts";
import type { RandomPosition } from "../random.ts";
import { canBeSet } from "../time/copy-clock.ts";
import type { Change } from "../time/journal.ts";
import { checkAdvance } from "../time/sleepers.ts";
import { attempt, type DeliveryRecord } from "./delivery.ts";
import { createEndpoint, newSecret } from "./endpoint.ts";
import { deliveredCopy, wireData, type StoredEvent } from "./event-copies.ts";
import {
  type EndpointFunctions,
  functionsOf,
  loadWebhooks,
  type SavedWebhooks,
  saveWebhooks,
} from "./saved-webhooks.ts";
import type { WebhookFeed } from "./webhook-feed.ts";
import {
  type Delivery,
  type WebhookChanges,
  webhookChanges,
  type WebhookSetup,
} from "./webhook-memory.ts";
import type { Webhooks } from "./webhooks.ts";

/** What webhooks need. */
interface WebhooksSetting {
  readonly clock: Clock;
  /** The clock of the sandbox, which `advance` moves. */
  readonly steered: Clock;
  readonly seed: number | string;
  readonly feed: WebhookFeed;
  readonly change: Change<{ readonly webhooks: { readonly changes: WebhookChanges } }>;
  readonly saved: SavedWebhooks | undefined;
  /** The receivers of saved endpoints that are functions. */
  readonly functions?: EndpointFunctions | undefined;
}

/** The webhooks of a sandbox, and what the sandbox does with them. */
export interface WebhookService {
  readonly api: Webhooks;
  readonly changes: WebhookChanges;
  readonly random: { position(): RandomPosition };
  /** Begins to deliver what is pending. */
  deliver(): void;
  /** Ends all deliveries: nothing is delivered any more, and nothing waits. */
  stop(): void;
  save(): SavedWebhooks;
  /** The endpoints, with their secrets and functions, and the disturbance. */
  setup(): WebhookSetup;
  /** Replaces them. New ids follow a position of the random sequence, so that none is used twice. */
  configure(setup: WebhookSetup, position: RandomPosition): void;
  readonly deliveryCount: number;
  /** Returns the body of an attempt, with the codes that the endpoint received. */
  sentBody(deliveryId: string, enabledEvents: readonly string[]): string | undefined;
  /** The functions that receive deliveries, which cannot be saved. */
  functions(): EndpointFunctions;
}

/** Creates the webhooks of a sandbox. They deliver nothing before `deliver` is called. */
export function createWebhooks({
  clock,
  steered,
  seed,
  feed,
  change,
  saved,
  functions = new Map(),
}: WebhooksSetting): WebhookService {
  const memory = loadWebhooks(seed, saved, functions);
  const { endpoints, stored, deliveries } = memory;
  const stopped = new AbortController();
  const underWay = new Set<Promise<void>>();
  let isDelivering = false;
  const reportDelivery = ({ record }: Delivery): void => {
    if (feed.isWatched()) feed.report({ kind: "delivery", delivery: publicCopy(record) });
  };
  const changes = webhookChanges(memory, seed, {
    clock,
    onEvent: (event) => feed.report({ kind: "event", event }),
    onDelivery: (delivery) => {
      reportDelivery(delivery);
      if (isDelivering) begin(delivery);
    },
    onOutcome: reportDelivery,
  });
  const make = <T>(work: (own: WebhookChanges) => T): T =>
    change(
      () => work(changes),
      (current) => work(current.webhooks.changes),
    );
  const newId = (prefix: string): string => `${prefix}_${memory.random.hex(16).toLowerCase()}`;

  const emit: Webhooks["emit"] = (type, data, { livemode = false } = {}) => {
    const event: StoredEvent = {
      id: newId("evt"),
      type,
      created_at: new Date(clock.now()).toISOString(),
      livemode,
      data: wireData(type, data),
      idempotency_key: newId("idem"),
    };
    return make(({ accept }) => accept(event));
  };

  const begin = (delivery: Delivery) => {
    // It rejects only because of a stop.
    keepTrying(delivery).catch(() => {});
  };

  const keepTrying = async (delivery: Delivery): Promise<void> => {
    const { record } = delivery;
    while (record.status === "pending") {
      const due = record.nextAttemptAt ?? clock.now();
      await clock.sleep(due - clock.now(), stopped.signal);
      if (record.status === "pending") await track(tryOnce(delivery, true));
    }
  };

  const tryOnce = async (
    { record, event, lostResponses }: Delivery,
    isScheduled: boolean,
  ): Promise<void> => {
    const endpoint = endpoints.get(record.endpoint_id);
    const result =
      endpoint &&
      (await attempt({
        endpoint: endpoint.record,
        send: endpoint.fetch ?? ((request) => fetch(request)),
        body: bodyOf(event, endpoint.record.enabled_events),
        clock,
        isResponseLost: record.attempts.length < lostResponses,
        signal: stopped.signal,
      }));
    // After a stop, other webhooks have taken over, and the journal is theirs.
    if (stopped.signal.aborted) changes.settle(record.id, result, isScheduled);
    else make(({ settle }) => settle(record.id, result, isScheduled));
  };

  const track = async (work: Promise<void>): Promise<void> => {
    underWay.add(work);
    try {
      await work;
    } finally {
      underWay.delete(work);
    }
  };

  const idle = async (): Promise<void> => {
    // New and woken deliveries start within a turn.
    do {
      await Promise.allSettled(underWay);
      await nextTurn();
    } while (underWay.size > 0);
  };

  const trigger = async (type: string, overrides: object = {}): Promise<StoredEvent> => {
    const { data = {}, ...envelope } = overrides as { data?: object; livemode?: boolean };
    const fixed = {
      id: newId("evt"),
      created_at: new Date(clock.now()).toISOString(),
      idempotency_key: newId("idem"),
      ...envelope,
    };
    const event = isKnown(type)
      ? sampleEvent(type, {
          ...fixed,
          data: type.startsWith("subscriber.") ? wireOverrides(type, data) : data,
        } as Overrides<never>)
      : { livemode: false, ...fixed, type, data: { object: {}, ...data } };
    const content = { ...event, data: wireData(type, event.data) };
    const copy = make(({ accept }) => accept(content));
    await idle();
    return copy;
  };

  const recordOf = (id: string) => {
    const found = deliveries.get(id);
    if (found === undefined) throw new TypeError(`There is no delivery ${id}.`);
    return found;
  };
  const records = () => [...deliveries.values()].map(({ record }) => publicCopy(record));

  const api: Webhooks = {
    register: (options) => {
      const [record, send] = createEndpoint(options, memory.random);
      // A rotation changes the record, which the caller has.
      const copy = { ...record };
      change(
        () => changes.setEndpoint(record, send),
        (current) => current.webhooks.changes.setEndpoint({ ...copy }, send),
      );
      feed.report({ kind: "endpoints" });
      return record;
    },
    rotate: (endpointId, { keepOld = true } = {}) => {
      const endpoint = endpoints.get(endpointId)?.record;
      if (endpoint === undefined)
        throw new TypeError(`There is no webhook endpoint ${endpointId}.`);
      const secret = newSecret(memory.random);
      const secrets = keepOld ? [secret, ...endpoint.secrets.slice(0, 1)] : [secret];
      make(({ setSecrets }) => setSecrets(endpointId, secrets));
      feed.report({ kind: "endpoints" });
      return secret;
    },
    unregister: (endpointId) => {
      make(({ removeEndpoint }) => removeEndpoint(endpointId));
      feed.report({ kind: "endpoints" });
    },
    trigger,
    emit,
    idle,
    advance: async (ms) => {
      if (!canBeSet(steered))
        throw new TypeError("Only a virtual clock can be advanced; this sandbox has a real one.");
      checkAdvance(ms, clock.now());
      const end = clock.now() + ms;
      for (;;) {
        await idle();
        const due = [...deliveries.values()].map(({ record }) => record.nextAttemptAt ?? Infinity);
        const next = Math.min(end, ...due);
        await steered.advance(Math.max(0, next - clock.now()));
        if (next === end) break;
      }
      await idle();
    },
    disturb: (disturbance) => {
      make(({ disturb }) => disturb(disturbance));
      feed.report({ kind: "disturbance" });
    },
    get disturbance() {
      return memory.disturbance;
    },
    deliveries: records,
    deadLetters: () => records().filter(({ status }) => status === "dead"),
    replay: async (deliveryId) => {
      const delivery = recordOf(deliveryId);
      await track(tryOnce(delivery, false));
      return publicCopy(delivery.record);
    },
    events: () => [...stored],
    get endpoints() {
      return [...endpoints.values()].map(({ record }) => record);
    },
  };
  return {
    api,
    changes,
    random: { position: () => memory.random.position() },
    deliver: () => {
      isDelivering = true;
      for (const delivery of deliveries.values())
        if (delivery.record.status === "pending") begin(delivery);
    },
    stop: () => stopped.abort(),
    save: () => saveWebhooks(memory),
    setup: () => ({
      endpoints: Array.from(endpoints.values(), ({ record, fetch: send }) => ({
        record: { ...record },
        fetch: send,
      })),
      disturbance: memory.disturbance,
    }),
    configure: (setup, position) => {
      make(({ configure }) => configure(setup));
      changes.continueAt(position);
    },
    sentBody: (deliveryId, enabledEvents) => {
      const delivery = deliveries.get(deliveryId);
      return delivery && bodyOf(delivery.event, enabledEvents);
    },
    get deliveryCount() {
      return deliveries.size;
    },
    functions: () => functionsOf(memory),
  };
}

/** Returns the body for an endpoint with these patterns. */
function bodyOf(event: StoredEvent, enabledEvents: readonly string[]): string {
  return stringifyJson(deliveredCopy(event, enabledEvents));
}

const known: ReadonlySet<string> = new Set(eventTypes);

function isKnown(type: string): type is EventType {
  return known.has(type);
}

/** Returns the given fields of a subscriber, without those that its events never contain. */
function wireOverrides(type: string, data: object): object {
  const { object, ...rest } = wireData(type, data);
  return "object" in data ? { ...rest, object } : rest;
}

function publicCopy(record: Delivery["record"]): DeliveryRecord {
  return { ...record, attempts: [...record.attempts] };
}
