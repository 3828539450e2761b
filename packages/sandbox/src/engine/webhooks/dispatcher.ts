import { type Clock, ENDED, stringifyJson } from "@fieldmesh/core/internal";
import { nextTurn } from "../time/sleepers.ts";
import { attempt } from "./delivery.ts";
import { deliveredCopy, type StoredEvent } from "./event-copies.ts";
import type { Delivery, WebhookChanges, WebhookMemory } from "./webhook-memory.ts";

export interface DispatcherSetting {
  readonly memory: WebhookMemory;
  readonly clock: Clock;
  readonly settle: WebhookChanges["settle"];
  /** Stores an outcome after a stop: other webhooks have taken over, and the journal is theirs. */
  readonly settleStopped: WebhookChanges["settle"];
}

/** Sends deliveries to their endpoints, and again after a failure. */
export function createDispatcher(setting: DispatcherSetting) {
  const { clock, settle, settleStopped } = setting;
  const { endpoints, deliveries } = setting.memory;
  const stopped = new AbortController();
  const inProgress = new Set<Promise<void>>();
  let isStarted = false;

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
        body: bodyFor(endpoint.record.enabled_events, event),
        clock,
        isResponseLost: record.attempts.length < lostResponses,
        signal: stopped.signal,
      }));
    const store = stopped.signal.aborted ? settleStopped : settle;
    store(record.id, result, isScheduled);
  };

  const track = async (work: Promise<void>): Promise<void> => {
    inProgress.add(work);
    try {
      await work;
    } finally {
      inProgress.delete(work);
    }
  };

  return {
    /** Begins with what is pending. Nothing is sent before. */
    start: () => {
      isStarted = true;
      for (const delivery of deliveries.values())
        if (delivery.record.status === "pending") begin(delivery);
    },
    /** Keeps trying until a delivery is accepted or dead. Does nothing before `start`. */
    add: (delivery: Delivery) => {
      if (isStarted) begin(delivery);
    },
    /** Sends a delivery now, whatever its status is. */
    sendAgain: (delivery: Delivery) => track(tryOnce(delivery, false)),
    /** Resolves when no attempt is in progress and none is due now. */
    idle: async () => {
      // New and woken deliveries start within a turn.
      do {
        await Promise.allSettled(inProgress);
        await nextTurn();
      } while (inProgress.size > 0);
    },
    /** Ends all attempts: nothing is sent any more, and nothing waits. */
    stop: () => stopped.abort(ENDED),
  };
}

/** Returns the body of an event for an endpoint with these patterns. */
export function bodyFor(enabledEvents: readonly string[], event: StoredEvent): string {
  return stringifyJson(deliveredCopy(event, enabledEvents));
}
