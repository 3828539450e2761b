import { anything, mistake, options, trueOrFalse, type Clock } from "@fieldmesh/core/internal";
import type { RandomPosition } from "../random.ts";
import { canBeSet } from "../time/clocks.ts";
import type { Change } from "../time/journal.ts";
import { checkAdvance } from "../time/sleepers.ts";
import type { DeliveryRecord, Disturbance } from "./delivery.ts";
import { bodyFor, createDispatcher } from "./dispatcher.ts";
import { createEndpoint, newSecret } from "./endpoint.ts";
import { hasFailed } from "./has-failed.ts";
import { wireData, type StoredEvent } from "./event-copies.ts";
import { checkType, sampledEvent } from "./sampled-event.ts";
import {
  type EndpointFunctions,
  functionsOf,
  loadWebhooks,
  type SavedWebhooks,
  saveWebhooks,
} from "./saved-webhooks.ts";
import type { WebhookFeed, EmitOptions, Webhooks } from "./webhooks.ts";
import {
  type Delivery,
  type WebhookChanges,
  webhookChanges,
  type WebhookSetup,
} from "./webhook-memory.ts";

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

export type WebhookService = ReturnType<typeof createWebhooks>;

type TriggerOptions = Pick<EmitOptions, "unknown">;

const readEmitOptions = /* @__PURE__ */ options<EmitOptions>("webhooks.emit", {
  livemode: anything,
  unknown: trueOrFalse,
});
const readTriggerOptions = /* @__PURE__ */ options<TriggerOptions>("webhooks.trigger", {
  unknown: trueOrFalse,
});
const readRotation = /* @__PURE__ */ options<{ readonly keepOld?: boolean }>("webhooks.rotate", {
  keepOld: anything,
});
const readDisturbance = /* @__PURE__ */ options<Disturbance>("webhooks.disturb", {
  duplicates: anything,
  disorder: anything,
  delay: anything,
  lostResponses: anything,
});

/** Deliveries that are sent again at the same time. */
const AT_ONCE = 16;

/** Creates the webhooks of a sandbox. They deliver nothing before `deliver` is called. */
export function createWebhooks(setting: WebhooksSetting) {
  const { clock, steered, seed, feed, change, saved, functions = new Map() } = setting;
  const memory = loadWebhooks(seed, saved, functions);
  const { endpoints, stored, deliveries } = memory;
  const reportDelivery = ({ record }: Delivery): void => {
    if (feed.isWatched()) feed.report({ kind: "delivery", delivery: publicCopy(record) });
  };
  const changes = webhookChanges(memory, seed, {
    clock,
    onEvent: (event) => feed.report({ kind: "event", event }),
    onDelivery: (delivery) => {
      reportDelivery(delivery);
      dispatcher.add(delivery);
    },
    onOutcome: reportDelivery,
  });
  const make = <T>(work: (own: WebhookChanges) => T): T =>
    change(
      () => work(changes),
      (current) => work(current.webhooks.changes),
    );
  const dispatcher = createDispatcher({
    memory,
    clock,
    settle: (...outcome) => make(({ settle }) => settle(...outcome)),
    settleStopped: changes.settle,
  });
  const newId = (prefix: string): string => `${prefix}_${memory.random.hex(16).toLowerCase()}`;
  const created = () => ({
    id: newId("evt"),
    created_at: new Date(clock.now()).toISOString(),
    idempotency_key: newId("idem"),
  });

  const emit = (type: string, data: object, given?: EmitOptions): StoredEvent => {
    const { livemode = false, unknown } = readEmitOptions(given);
    if (unknown !== true) checkType(type);
    const { id, created_at, idempotency_key } = created();
    const wire = wireData(type, data);
    const event: StoredEvent = { id, type, created_at, livemode, data: wire, idempotency_key };
    return make(({ accept }) => accept(event));
  };

  const trigger = async (
    type: string,
    overrides: object = {},
    given?: TriggerOptions,
  ): Promise<StoredEvent> => {
    if (readTriggerOptions(given).unknown !== true) checkType(type);
    const event = sampledEvent(type, created(), overrides);
    const copy = make(({ accept }) => accept(event));
    await dispatcher.idle();
    return copy;
  };

  const recordOf = (id: string) => {
    const found = deliveries.get(id);
    if (found === undefined) throw mistake(`There is no delivery ${id}.`);
    return found;
  };
  const isFailed = ({ record }: Delivery) => hasFailed(record);
  const records = () => [...deliveries.values()].map(({ record }) => publicCopy(record));

  const api: Webhooks = {
    register: (given) => {
      const [record, send] = createEndpoint(given, memory.random);
      // A rotation changes the record, which the caller has.
      const copy = { ...record };
      change(
        () => changes.setEndpoint(record, send),
        (current) => current.webhooks.changes.setEndpoint({ ...copy }, send),
      );
      feed.report({ kind: "endpoints" });
      return record;
    },
    rotate: (endpointId, given) => {
      const { keepOld = true } = readRotation(given);
      const endpoint = endpoints.get(endpointId)?.record;
      if (endpoint === undefined) throw mistake(`There is no webhook endpoint ${endpointId}.`);
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
    idle: dispatcher.idle,
    advance: async (ms) => {
      if (!canBeSet(steered))
        throw mistake("Only a virtual clock can be advanced; this sandbox has a real one.");
      checkAdvance(ms, clock.now());
      const end = clock.now() + ms;
      for (;;) {
        await dispatcher.idle();
        const due = [...deliveries.values()].map(({ record }) => record.nextAttemptAt ?? Infinity);
        const next = Math.min(end, ...due);
        await steered.advance(Math.max(0, next - clock.now()));
        if (next === end) break;
      }
      await dispatcher.idle();
    },
    disturb: (given) => {
      const disturbance = readDisturbance(given);
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
      await dispatcher.sendAgain(delivery);
      return publicCopy(delivery.record);
    },
    replayMany: async (given) => {
      const wanted = given?.map(recordOf) ?? [...deliveries.values()].filter(isFailed);
      for (let at = 0; at < wanted.length; at += AT_ONCE)
        await Promise.all(wanted.slice(at, at + AT_ONCE).map(dispatcher.sendAgain));
      return wanted.map(({ record }) => publicCopy(record));
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
    deliver: dispatcher.start,
    stop: dispatcher.stop,
    save: () => saveWebhooks(memory),
    /** The endpoints, with their secrets and functions, and the disturbance. */
    setup: () => ({
      endpoints: Array.from(endpoints.values(), (each) => ({
        ...each,
        record: { ...each.record },
      })),
      disturbance: memory.disturbance,
    }),
    /** Replaces them. New ids follow a position of the random sequence, so that none is used twice. */
    configure: (setup: WebhookSetup, position: RandomPosition) => {
      make(({ configure }) => configure(setup));
      changes.continueAt(position);
    },
    /** Returns the body of an attempt, with the codes that the endpoint received. */
    sentBody: (deliveryId: string, enabledEvents: readonly string[]) => {
      const delivery = deliveries.get(deliveryId);
      return delivery && bodyFor(enabledEvents, delivery.event);
    },
    get deliveryCount() {
      return deliveries.size;
    },
    /** The functions that receive deliveries, which cannot be saved. */
    functions: () => functionsOf(memory),
  };
}

function publicCopy(record: Delivery["record"]): DeliveryRecord {
  return { ...record, attempts: [...record.attempts] };
}
