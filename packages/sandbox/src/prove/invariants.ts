import { dateOfStamp, mistake, timeOfStamp } from "@fieldmesh/core/internal";
import type { EventEnvelope } from "@fieldmesh/webhook-types";
import { isAccepted, type History, type Invariant } from "./history.ts";
import type { ShownRow } from "./subject.ts";

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
      const accepted = new Set(handled(deliveries).map(({ id }) => id));
      const left = genuine.findLast(({ event }) => !accepted.has(event.id));
      return (
        left &&
        `${left.event.id} was never accepted, although the sender retried it nine times without a fault. ${describe(left.status)}`
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
    "the newest state wins": ({ deliveries, rows, ownRows }) => {
      const accepted = handled(deliveries);
      for (const event of accepted.filter((each) => tracesOf(each).writesRow)) {
        const shown = [
          ...[...rows.values()].filter((each) => isSameObject(each, event)).map(toShown),
          ...ownRows.filter((row) => shows(row, event)).map(fromOwnRow),
        ];
        if (shown.some(({ time }) => time >= timeOfStamp(event.created_at))) continue;
        const [row] = shown;
        if (row !== undefined) return `a row shows ${row.what}, although ${event.id} is newer.`;
        const isGone = accepted.some(
          (other) =>
            isSameObject(other, event) &&
            other.created_at >= event.created_at &&
            !tracesOf(other).writesRow,
        );
        if (!isGone) return `${event.id} was accepted, and no row shows it.`;
      }
      return undefined;
    },
  };
}

/** What a row shows, in the words of a problem. */
interface Shown {
  readonly what: string;
  readonly time: number;
}

function toShown({ id, created_at }: EventEnvelope): Shown {
  return { what: id, time: timeOfStamp(created_at) };
}

function fromOwnRow({ object, created_at }: ShownRow): Shown {
  const time = dateOfStamp(created_at);
  if (Number.isNaN(time.getTime()))
    throw mistake(
      `rows() returned a created_at of ${object} that is not a time: return that of the event, as a Date or an ISO 8601 string.`,
    );
  return { what: `${object} of ${time.toISOString()}`, time: time.getTime() };
}

function shows({ object, family }: ShownRow, event: EventEnvelope): boolean {
  return object === idOf(event) && (family === undefined || family === familyOf(event));
}

/** What the last status says about the cause. */
function describe(status: number | undefined): string {
  if (status === undefined)
    return "It did not respond the last time: something that it waits for does not come after a fault.";
  if (status === 401)
    return "The last status was 401: the receiver reads the secret only once, or tolerates less than five minutes. Pass world.secrets itself.";
  return `The last status was ${status}.`;
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
  return familyOf(a) === familyOf(b) && idOf(a) === idOf(b);
}

function familyOf({ type }: EventEnvelope): string | undefined {
  return type.split(".", 1)[0];
}

function idOf({ data }: EventEnvelope): unknown {
  return (data["object"] as { id?: unknown } | undefined)?.id;
}
