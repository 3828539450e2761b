import {
  fingerprint,
  hashJson,
  memberOf,
  readCheckpoint,
  withChecksum,
  type Clock,
} from "@fieldmesh/core/internal";
import { inputProblem, type CallOptions } from "@fieldmesh/http/internal";
import type { DeviceEvent } from "../device-event.ts";
import { checkpointFields, type EventsCheckpoint } from "./checkpoint.ts";
import type { EventGap, FollowEventsOptions, FollowTarget } from "./follow-types.ts";

// The contract: the previous 100 events of a device.
const MOST_EVENTS = 100;
/** More than one response holds, because the server behind the next one may lag. */
const MOST_SEEN = 2 * MOST_EVENTS;
// The more time has passed since the last event, the less a longer wait delays the next one.
const REQUESTS_PER_EVENT = 4;

/** An event that was read, and the hash by which it is found again. */
interface Read {
  readonly event: DeviceEvent;
  readonly hash: string;
}

interface WatchOptions extends FollowEventsOptions {
  /** Names the method in errors. */
  readonly facts: { readonly call: string; readonly route: string };
  readonly call: CallOptions;
  readonly clock: Clock;
}

/** The events of a device, as a follower has seen them so far. */
export type Watched = ReturnType<typeof watchEvents>;

/** Reads the last events of a device, and knows which of them are new. The follower loads this file with its first request. */
export function watchEvents(
  target: FollowTarget,
  input: { device_id: string },
  { facts, call, clock, from = "previous", checkpoint: given, onGap: heard }: WatchOptions,
) {
  const onGap = heard ?? warn;
  if (from !== "previous" && from !== "now")
    throw inputProblem(facts, "options.from", 'must be "previous" or "now"');
  if (typeof onGap !== "function") throw inputProblem(facts, "options.onGap", "must be a function");
  const owner = {
    call: facts.call,
    server: target.server,
    path: fingerprint(String(memberOf(input, "device_id")).toLowerCase()),
  };
  const start = given === undefined ? undefined : readCheckpoint(checkpointFields, given, owner);
  /** How often each event was seen, by its hash. Those that were returned last are at the end. */
  const seen = new Map<string, number>();
  for (const hash of start?.seen ?? []) add(hash);
  let newest = start?.newest ?? undefined;
  let isFirst = start === undefined;
  let fresh: Read[] = [];
  let newestAt = clock.now();

  function warn(gap: EventGap): void {
    const since = gap.after === undefined ? "" : ` after ${shownTime(gap.after)}`;
    const message =
      `${facts.call} (${facts.route}): events of a device may be lost${since} and before ${shownTime(gap.before)}: ` +
      `no event of the last response was seen before. Pass onGap to handle it.`;
    target.warn(message, { ...facts, ...gap });
  }

  function add(hash: string): void {
    const count = seen.get(hash) ?? 0;
    seen.delete(hash);
    seen.set(hash, count + 1);
  }

  /** Keeps the hashes of the last events only. */
  function forget(): void {
    for (const hash of seen.keys()) {
      if (seen.size <= MOST_SEEN) return;
      seen.delete(hash);
    }
  }

  function take(): DeviceEvent | undefined {
    const next = fresh.shift();
    if (next === undefined) return undefined;
    add(next.hash);
    forget();
    newest = next.event.reported_at;
    return next.event;
  }

  async function read(): Promise<void> {
    const events = inOrder(await target.events(input, call)).map((event): Read => ({
      event,
      hash: hashJson(event),
    }));
    fresh = withoutSeen(events, seen);
    // What the console still returns is kept longest.
    for (const { hash } of events) {
      const count = seen.get(hash);
      if (count !== undefined && seen.delete(hash)) seen.set(hash, count);
    }
    const mayHaveLost =
      !isFirst && fresh.length === events.length && (seen.size > 0 || events.length >= MOST_EVENTS);
    if (isFirst && from === "now") while (take() !== undefined);
    isFirst = false;
    const [first] = fresh;
    if (first === undefined) return;
    newestAt = clock.now();
    const { device_id } = input;
    if (mayHaveLost) await onGap({ device_id, after: newest, before: first.event.reported_at });
  }

  return {
    take,
    read,
    wait: () => (clock.now() - newestAt) / REQUESTS_PER_EVENT,
    checkpoint(): EventsCheckpoint | undefined {
      if (isFirst) return undefined;
      const version = 1 as const;
      const hashes = Array.from(seen, ([hash, count]) => Array<string>(count).fill(hash)).flat();
      return withChecksum({ version, ...owner, seen: hashes, newest: newest ?? null });
    },
  };
}

/** The console may send anything in place of a time. */
function shownTime(reported_at: unknown): string {
  const time = timeOf({ reported_at });
  return Number.isFinite(time) && Math.abs(time) < 8.64e15
    ? new Date(time).toISOString()
    : "an unknown time";
}

/** Returns the events with the oldest first. The contract does not state an order: equal times keep that of the response. */
function inOrder(response: DeviceEvent[]): DeviceEvent[] {
  // With `validation: "off"`, it may be anything.
  const events = [response].flat().filter((event) => typeof event === "object" && event !== null);
  const [first, last] = [events[0], events.at(-1)];
  const isNewestFirst = first !== undefined && last !== undefined && timeOf(first) > timeOf(last);
  return (isNewestFirst ? events.toReversed() : events).sort((a, b) => timeOf(a) - timeOf(b) || 0);
}

/** Returns the time of an event in milliseconds. One without a time comes last. */
function timeOf({ reported_at }: { readonly reported_at?: unknown }): number {
  const time = typeof reported_at === "string" ? Number(reported_at) : Number.NaN;
  return Number.isNaN(time) ? Number.MAX_VALUE : time;
}

/** Leaves out each event as often as it was seen. */
function withoutSeen(events: readonly Read[], seen: ReadonlyMap<string, number>): Read[] {
  const left = new Map(seen);
  return events.filter(({ hash }) => {
    const count = left.get(hash) ?? 0;
    left.set(hash, count - 1);
    return count <= 0;
  });
}
