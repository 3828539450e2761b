// Events of objects whose final states are known, because this file makes them up.

/** An event on the wire, or as the service stores it. */
export interface FeedEvent {
  readonly id: string;
  readonly type: "plan.updated" | "plan.deleted";
  readonly created_at: string;
  readonly livemode: boolean;
  readonly idempotency_key: string;
  readonly data: {
    readonly object: { readonly id: string; readonly step: number };
    readonly previous_attributes?: { readonly step: number };
  };
}

/** What the last event of an object says. */
export interface FinalState {
  readonly id: string;
  readonly event: FeedEvent;
  /** Whether nothing tells the last two events apart. */
  readonly isAmbiguous: boolean;
}

const FIRST = Date.parse("2026-11-01T00:00:00Z");
/** A fifth of the events have the time of another one. */
const SHARE_OF_PAIRS = 0.1;
/** Of these pairs. */
const SHARE_OF_CHAINS = 0.5;
const SHARE_OF_DELETIONS = 0.05;

/** Makes up the events of some objects, and lists their final states. */
export function makeFeed(objects: number, eventsOfEach: number) {
  const events: FeedEvent[] = [];
  const finals: FinalState[] = [];
  for (let object = 0; object < objects; object++) {
    const id = `plan_${object}`;
    let step = 0;
    let last: FinalState | undefined;
    for (let made = 0, second = 0; made < eventsOfEach; second++) {
      const isPair =
        made + 2 <= eventsOfEach && Math.random() < SHARE_OF_PAIRS / (1 - SHARE_OF_PAIRS);
      const isChain = Math.random() < SHARE_OF_CHAINS;
      for (let of = 0; of < (isPair ? 2 : 1); of++, made++) {
        const before = step;
        step += 1;
        const event: FeedEvent = {
          // Ids that say nothing about the order.
          id: `evt_${Math.random().toString(36).slice(2)}_${events.length}`,
          type: Math.random() < SHARE_OF_DELETIONS ? "plan.deleted" : "plan.updated",
          created_at: new Date(FIRST + second * 1_000).toISOString(),
          livemode: true,
          idempotency_key: `idem_${events.length}`,
          data: {
            object: { id, step },
            ...((!isPair || isChain) && { previous_attributes: { step: before } }),
          },
        };
        events.push(event);
        last = { id, event, isAmbiguous: isPair && !isChain };
      }
    }
    if (last !== undefined) finals.push(last);
  }
  return { events, finals };
}
