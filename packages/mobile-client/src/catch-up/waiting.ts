import { getOrInsertComputed, fingerprint, recordOf, timeOfStamp } from "@fieldmesh/core/internal";
import { familyOf } from "@fieldmesh/webhook-types/internal";
import type { OpenEvent } from "./checkpoint.ts";
import type { ListedEvent } from "./read-events.ts";

/** The types whose events can wait for their delivery. Those of a one-time code and of an order always wait. */
export type DeliveryOnly = "sim.provisioned" | "sim.activated" | "sim.swapped";

interface Rules {
  readonly deliveryOnly: readonly DeliveryOnly[];
  /** Milliseconds after the date of an event. */
  readonly deliveriesEnd: number;
  /** Whether an older event is dropped after a newer one of its object. */
  readonly hasOrder: boolean;
  /** The open events of earlier runs. */
  readonly open: readonly OpenEvent[];
  readonly now: () => number;
}

/** Which events wait for their delivery, because only that carries a code or a recipient, and until when. */
export function watchWaiting({ deliveryOnly, deliveriesEnd, hasOrder, open, now }: Rules) {
  const types: ReadonlySet<string> = new Set(["cpni.verification.requested", ...deliveryOnly]);
  const families = new Set(["psim_order", ...[...types].map(familyOf)]);
  const byObject = new Map<string, { readonly time: number; readonly until: number }[]>();
  const add = (object: string | null, time: number, until: number): void => {
    if (object === null || Number.isNaN(time)) return;
    getOrInsertComputed(byObject, object, () => []).push({ time, until });
  };
  for (const { reason, object, created_at, until } of open)
    if (reason === "waiting") add(object, timeOfStamp(created_at), timeOfStamp(until));

  const endOf = ({ date }: ListedEvent): number => date + deliveriesEnd;
  const canWait = ({ type }: ListedEvent): boolean =>
    types.has(type) || familyOf(type) === "psim_order";
  const waits = (event: ListedEvent): boolean => canWait(event) && now() < endOf(event);
  /** Whether an older event of its object may wait, which a list that is newest first contains later. */
  const mayFollow = (event: ListedEvent): boolean =>
    hasOrder && families.has(familyOf(event.type)) && now() < endOf(event) && !waits(event);
  const endOfOlder = ({ time, ...event }: ListedEvent): number =>
    Math.max(
      ...(byObject.get(objectOf(event) ?? "") ?? [])
        .filter((older) => older.time < time)
        .map(({ until }) => until),
    );

  return {
    endOf,
    canWait,
    /** Returns until when an event waits, or `undefined` if it does not. */
    untilOf(event: ListedEvent): number | undefined {
      const until = waits(event) ? endOf(event) : mayFollow(event) ? endOfOlder(event) : 0;
      return now() < until ? until : undefined;
    },
    /** Returns the events with those at the end that wait if an older one of their object does. */
    async *inTurn(events: AsyncIterable<ListedEvent>): AsyncGenerator<ListedEvent> {
      const kept: ListedEvent[] = [];
      for await (const event of events) {
        if (waits(event)) add(objectOf(event), event.time, endOf(event));
        if (mayFollow(event)) kept.push(event);
        else yield event;
      }
      yield* kept;
    },
  };
}

/** Returns a hash of the object of an event, as an order distinguishes it. */
export function objectOf({ stored, type }: Pick<ListedEvent, "stored" | "type">): string | null {
  const { id } = recordOf(recordOf(recordOf(stored)["data"])["object"]);
  if (typeof id !== "string" || id === "") return null;
  return fingerprint(`${familyOf(type)}.${id}`);
}
