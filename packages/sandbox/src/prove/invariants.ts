import type { EventEnvelope } from "@fieldmesh/webhook-types";
import { isAccepted, type History, type Invariant } from "./history.ts";

/** What a type of event leaves when nothing goes wrong. */
export interface Trace {
  readonly effects: readonly string[];
  readonly writesRow: boolean;
}

/** The rules that hold for every receiver; `traces` by type of event. */
export function builtIn(traces: ReadonlyMap<string, Trace>): Readonly<Record<string, Invariant>> {
  const tracesOf = ({ type }: EventEnvelope) =>
    traces.get(type) ?? { effects: [], writesRow: false };
  return {
    "forged deliveries are rejected": ({ deliveries }) => {
      const accepted = deliveries.find(({ isForged, status }) => isForged && isAccepted(status));
      return accepted && `${accepted.event.id} was signed with another secret, and was accepted.`;
    },
    "every delivery is accepted in the end": ({ deliveries }) => {
      const genuine = deliveries.filter(({ isForged }) => !isForged);
      const accepted = acceptedIds(genuine);
      const left = genuine.findLast(({ event }) => !accepted.has(event.id));
      return (
        left &&
        `${left.event.id} was never accepted, although the sender retried it nine times without a fault. The last status was ${left.status}.`
      );
    },
    "nothing is lost": ({ deliveries, effects }) => {
      for (const event of handled(deliveries))
        for (const name of tracesOf(event).effects)
          if (
            !effects.some((each) => each.event === event.id && each.name === name) &&
            !isOutdated(event, deliveries)
          )
            return `${event.id} was accepted, and its effect ${JSON.stringify(name)} never happened.`;
      return undefined;
    },
    "an effect happens once": ({ effects }) => {
      for (const { event, name } of effects) {
        const times = effects.filter((each) => each.event === event && each.name === name).length;
        if (times > 1)
          return `the effect ${JSON.stringify(name)} of ${event} happened ${times} times.`;
      }
      return undefined;
    },
    "the newest state wins": ({ deliveries, rows }) => {
      const written = handled(deliveries).filter((event) => tracesOf(event).writesRow);
      for (const event of written) {
        const shown = [...rows.values()].filter((each) => isSameObject(each, event));
        if (shown.some(({ created_at }) => created_at >= event.created_at)) continue;
        return shown.length === 0
          ? `${event.id} was accepted, and no row shows it.`
          : `a row shows ${shown[0]?.id}, although ${event.id} is newer.`;
      }
      return undefined;
    },
  };
}

function acceptedIds(deliveries: History["deliveries"]): Set<string> {
  return new Set(
    deliveries.filter(({ status }) => isAccepted(status)).map(({ event }) => event.id),
  );
}

/** The events that the receiver has accepted, each once. */
function handled(deliveries: History["deliveries"]): EventEnvelope[] {
  const genuine = deliveries.filter(({ isForged, status }) => !isForged && isAccepted(status));
  return [...new Map(genuine.map(({ event }) => [event.id, event])).values()];
}

/** A receiver may drop an event once a newer one of the same object was accepted. Events of the same time are both news. */
function isOutdated(event: EventEnvelope, deliveries: History["deliveries"]): boolean {
  return handled(deliveries).some(
    (other) => isSameObject(other, event) && other.created_at > event.created_at,
  );
}

/** As an `ObjectOrder` tells it. A snapshot without an id is an object of its own. */
function isSameObject(a: EventEnvelope, b: EventEnvelope): boolean {
  if (idOf(a) === undefined) return a.id === b.id;
  const family = (type: string) => type.split(".", 1)[0];
  return family(a.type) === family(b.type) && idOf(a) === idOf(b);
}

function idOf({ data }: EventEnvelope): unknown {
  return (data["object"] as { id?: unknown } | undefined)?.id;
}
