import type { FleetDevice } from "../move/fleet.ts";
import type { PlanFact } from "../plan-lines.ts";
import type { DeviceSettings } from "./target-mapping.ts";

/** A device of a fleet, with what the mapping file says of it. */
export interface Wanted {
  readonly device: FleetDevice;
  readonly settings: DeviceSettings;
}

/** A write that makes a device as the fleet has it. */
export interface Change {
  /** As a plan tells it, such as `add its key`. */
  readonly what: string;
  /** Throws a {@link RejectedError} if the server rejects this device; everything else ends the run. */
  readonly make: () => Promise<void>;
}

/** How a device of a network server differs from that of the fleet. */
export interface Comparison {
  readonly isNew: boolean;
  /** In the order in which they are made. */
  readonly changes: readonly Change[];
  /** What an apply leaves as it is. */
  readonly byHand: readonly string[];
}

/** What a network server holds at one time. */
export interface Reading {
  /** What the mapping file names and the server does not have, or what does not fit. */
  readonly open: readonly PlanFact[];
  /** What the server leaves to others. */
  readonly lost?: readonly PlanFact[];
  compare(wanted: Wanted): Promise<Comparison>;
}

/** A network server that runs. */
export interface TargetServer {
  read(wanted: readonly Wanted[]): Promise<Reading>;
  close(): void;
}

export interface ServerOptions {
  readonly url: URL;
  readonly key: string;
  /** Ends what is in progress. */
  readonly signal: AbortSignal;
}

/** A network server rejected a device; the message says why, without a key. */
export class RejectedError extends Error {
  override readonly name = "RejectedError";
}

/** What a server tells may quote what it received, so keys are taken out. */
export function withoutKeys(text: string): string {
  return text.replace(/[0-9a-f]{32,}/gi, "[hidden]").trim();
}
