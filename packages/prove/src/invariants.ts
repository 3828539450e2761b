import { mistake, timeOfStamp } from "@fieldmesh/core/internal";
import type { EventEnvelope } from "@fieldmesh/webhook-types";
import { isAccepted, type History, type Invariant, type ShownRow } from "./subject.ts";
import { isUnknownType } from "./planned-event.ts";

/** What a type of event leaves when nothing goes wrong. */
export interface Trace {
  readonly effects: readonly string[];
  readonly writesRow: boolean;
}

/** Returns what a run has left of an event. */
export function traceOf(event: EventEnvelope, { effects, rows, ownRows }: History): Trace {
  const own = effects.filter((each) => each.event === event.id);
  const writesRow =
    [...rows.values()].some(({ id }) => id === event.id) ||
    ownRows.some((row) => shows(row, event));
  return { effects: own.map(({ name }) => name), writesRow };
}

/** The rules that hold for every receiver; `traces` by type of event. An event of another type changes nothing. */
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
      const accepted = new Set(genuine.filter(wasAccepted).map(({ event }) => event.id));
      const left = genuine.findLast(({ event }) => !accepted.has(event.id));
      return (
        left &&
        `${left.event.id} was never accepted, although the sender retried it nine times without a fault. ${describe(left.status)}`
      );
    },
    "nothing is lost": (history) => {
      const all = handled(history);
      for (const each of all)
        for (const name of tracesOf(each.event).effects) {
          const { id } = each.event;
          if (history.effects.some((effect) => effect.event === id && effect.name === name))
            continue;
          const newer = all.filter((other) => isNewer(other, each));
          if (newer.some(({ event }) => traces.has(event.type))) continue;
          const unknown = newer.find(({ event }) => isUnknownType(event.type))?.event.id;
          return `${id} was accepted, and its effect ${JSON.stringify(name)} never happened.${unknown === undefined ? "" : ` ${unknown} is newer, but it leaves nothing, so no event may be dropped because of it.`}`;
        }
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
    "the newest state wins": (history) => {
      const all = handled(history);
      const isShown = (each: Handled) => hasTime(each.event) && tracesOf(each.event).writesRow;
      for (const each of all.filter(isShown)) {
        const { event } = each;
        const shown = [
          ...[...history.rows.values()]
            .filter((row) => isSameObject(row, event))
            .map((row) => ({ what: row.id, to: spanOf(row, history).to })),
          ...history.ownRows
            .filter((row) => shows(row, event))
            .map((row) => fromOwnRow(row, history)),
        ];
        if (shown.some(({ to }) => to >= each.from)) continue;
        const [row] = shown;
        if (row !== undefined) return `a row shows ${row.what}, although ${event.id} is newer.`;
        const isGone = all.some(
          (other) =>
            isSameObject(other.event, event) &&
            other.to >= each.from &&
            traces.has(other.event.type) &&
            !tracesOf(other.event).writesRow,
        );
        if (!isGone) return `${event.id} was accepted, and no row shows it.`;
      }
      return undefined;
    },
  };
}

/** What a row shows, in the words of a problem, and the last time that it may count for. */
interface Shown {
  readonly what: string;
  readonly to: number;
}

function fromOwnRow({ object, created_at, family }: ShownRow, history: History): Shown {
  const time = timeOfStamp(created_at);
  const shown = history.deliveries
    .map(({ event }) => event)
    .filter(
      (event) =>
        shows({ object, family, created_at }, event) &&
        (event.created_at === created_at || timeOfStamp(event.created_at) === time),
    );
  if (shown.length === 0 && Number.isNaN(time))
    throw mistake(
      `rows() returned a created_at of ${object} that is not a time: return that of the event, as a Date or an ISO 8601 string.`,
    );
  return {
    what: `${object} of ${Number.isNaN(time) ? String(created_at) : new Date(time).toISOString()}`,
    to: shown.length === 0 ? time : Math.max(...shown.map((event) => spanOf(event, history).to)),
  };
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

/** An event that the receiver has accepted and not set aside, and between which times it counts in the order of its object. */
interface Handled extends Span {
  readonly event: EventEnvelope;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The events that the receiver has handled, each once. */
function handled(history: History): Handled[] {
  const accepted = history.deliveries
    .filter((each) => wasAccepted(each) && !history.setAside.has(each.event.id))
    .map(({ event }) => event);
  return [...new Map(accepted.map((event) => [event.id, event])).values()].map((event) => ({
    event,
    ...spanOf(event, history),
  }));
}

function wasAccepted({ isForged, status }: History["deliveries"][number]): boolean {
  return !isForged && isAccepted(status);
}

const FIVE_MINUTES = 300_000;

/**
 * An event counts from the time at which it was created. If that is in the future, or not a time, it counts from its first claim, which
 * comes at some moment between its first delivery and the one that was accepted.
 */
function spanOf({ id, created_at }: EventEnvelope, { deliveries, firstSeen }: History): Span {
  const created = timeOfStamp(created_at);
  const seen = firstSeen.get(id) ?? Infinity;
  if (created <= seen + FIVE_MINUTES) return { from: created, to: created };
  const accepted = deliveries.find((each) => each.event.id === id && wasAccepted(each));
  const latest = (accepted?.at ?? Infinity) + FIVE_MINUTES;
  return { from: seen, to: Number.isNaN(created) ? latest : Math.min(created, latest) };
}

/** Whether a receiver may drop the second event because of the first. Events of the same time are both news, and one without a time is, too. */
function isNewer(other: Handled, { event, from }: Handled): boolean {
  if (other.event.id === event.id || !isSameObject(other.event, event)) return false;
  return hasTime(event) && hasTime(other.event) && other.to > from;
}

function hasTime({ created_at }: EventEnvelope): boolean {
  return !Number.isNaN(timeOfStamp(created_at));
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
