import type { CallOptions } from "@fieldmesh/http/internal";
import type { Follower, FollowerOptions } from "@fieldmesh/http/internal/pager";
import type { DeviceEvent } from "../device-event.ts";
import type { EventsCheckpoint } from "./checkpoint.ts";

/** Options of `devices.follow`. */
export interface FollowEventsOptions extends FollowerOptions {
  /**
   * Where a follower without a checkpoint begins: with the events that the console still returns, at most 100, or with the first event
   * after its first request.
   *
   * @default "previous"
   */
  from?: "previous" | "now" | undefined;
  /** Resumes after the events that an earlier follower of the same device returned. */
  checkpoint?: EventsCheckpoint | undefined;
  /**
   * Receives each gap before the first event after it. The follower waits for its promise. What it throws, `next()` throws, and the
   * next `next()` continues after the gap.
   *
   * @default a warning in the log of the client, or on the console
   */
  onGap?: ((gap: EventGap) => unknown) | undefined;
}

/**
 * A time from which events may be lost: of the events that the console returned, none was seen before. More than 100 came between two
 * requests, or exactly 100 and nothing is lost, or the console has dropped old ones.
 */
export interface EventGap {
  /** The id of the device. */
  readonly device_id: string;
  /** The `reported_at` of the last event before the gap. `undefined` if there was none. */
  readonly after: string | undefined;
  /** The `reported_at` of the first event after the gap. */
  readonly before: string;
}

/** Follows the events of a device. After a failure, `next()` retries. */
export interface EventFollower extends Follower<DeviceEvent> {
  [Symbol.asyncIterator](): EventFollower;
  /**
   * Returns the place after the events that were returned: store it when you have handled them, and pass it to the next follower.
   * Before the first request, it is the checkpoint of the options, or `undefined`.
   */
  checkpoint(): EventsCheckpoint | undefined;
}

/** What a follower needs of its client. */
export interface FollowTarget {
  events(input: { device_id: string }, options: CallOptions): Promise<DeviceEvent[]>;
  /** A hash of the base URL. */
  readonly server: string;
  warn(message: string, fields: object): void;
}
