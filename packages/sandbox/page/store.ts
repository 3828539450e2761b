import { useEffect, useState } from "preact/hooks";
import type {
  ClockView,
  DeliveryRow,
  EventRow,
  FeedMessage,
  RequestRow,
  Settings,
} from "../src/engine/controls/wire.ts";

/** The state of the connection to the sandbox. */
export type Connection = "connecting" | "live" | "lost" | "locked";

/** What the page knows. Lists have the newest last. */
export interface State {
  connection: Connection;
  requests: RequestRow[];
  deliveries: DeliveryRow[];
  events: EventRow[];
  settings: Settings | undefined;
  clock: (ClockView & { readonly receivedAt: number }) | undefined;
  /** Changes with each write, so that lists that depend on it are made again. */
  version: number;
}

/** Deliveries and events beyond these are forgotten, the oldest first. */
const MOST_DELIVERIES = 5_000;

export const state: State = {
  connection: "connecting",
  requests: [],
  deliveries: [],
  events: [],
  settings: undefined,
  clock: undefined,
  version: 0,
};

const listeners = new Set<() => void>();
let isScheduled = false;

/** Changes the state, and shows it with the next frame. */
export function update(change: (state: State) => void): void {
  change(state);
  state.version += 1;
  if (isScheduled) return;
  isScheduled = true;
  // Not a frame: a hidden tab draws none, and would keep all messages in one.
  setTimeout(() => {
    isScheduled = false;
    for (const listener of listeners) listener();
  }, 16);
}

/** Draws the component again after each change of the state. */
export function useStore(): State {
  const [, setVersion] = useState(0);
  useEffect(() => {
    const listener = (): void => setVersion(state.version);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return state;
}

/** Writes a message of the feed into the state. */
export function apply(message: FeedMessage): void {
  update((known) => {
    if (message.reset === true) Object.assign(known, { requests: [], deliveries: [], events: [] });
    known.settings = message.settings ?? known.settings;
    known.clock = { ...message.clock, receivedAt: Date.now() };
    const limit = Math.min(known.settings?.logSize ?? Infinity, 10_000);
    const first = known.settings?.firstRequest ?? 0;
    if ((known.requests[0]?.number ?? Infinity) < first)
      known.requests = known.requests.filter(({ number }) => number >= first);
    // The response to a request that was cleared does not bring it back.
    const requests = message.requests?.filter(({ number }) => number >= first) ?? [];
    known.requests = merge(known.requests, requests, {
      idOf: ({ number }) => number,
      limit,
    });
    known.deliveries = merge(known.deliveries, message.deliveries ?? [], {
      idOf: ({ id }) => id,
      limit: MOST_DELIVERIES,
    });
    if (message.events !== undefined)
      known.events = [...known.events, ...message.events].slice(-MOST_DELIVERIES);
  });
}

interface Merging<T> {
  readonly idOf: (record: T) => string | number;
  readonly limit: number;
}

/** Replaces the records that changed, which are among the last ones, and appends the new ones. */
function merge<T>(known: T[], changed: readonly T[], { idOf, limit }: Merging<T>): T[] {
  if (changed.length === 0) return known;
  const waiting = new Map(changed.map((record) => [idOf(record), record]));
  const all = known.slice(Math.max(0, known.length + changed.length - 2 * limit));
  for (let at = all.length - 1; at >= 0 && waiting.size > 0; at--) {
    const id = idOf(all[at]!);
    const next = waiting.get(id);
    if (next === undefined) continue;
    all[at] = next;
    waiting.delete(id);
  }
  all.push(...waiting.values());
  return all.length > limit ? all.slice(-limit) : all;
}
