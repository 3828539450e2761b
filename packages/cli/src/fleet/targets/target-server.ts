import { createSecretCheck } from "@fieldmesh/core/internal/schema";
import { createShowText } from "@fieldmesh/http/internal";
import type { FleetDevice } from "../move/fleet.ts";
import type { PlanFact } from "../plan/plan-lines.ts";
import type { DeviceSettings } from "./target-mapping.ts";

/** A device of a fleet, with its settings from the mapping file. */
export interface Wanted {
  readonly device: FleetDevice;
  readonly settings: DeviceSettings;
}

/** Something that differs, in words and, where it is a field, as data. */
export type Difference = Required<Pick<PlanFact, "what">> & Pick<PlanFact, "fields">;

/** Returns the difference of a field, or nothing if the two values are equal. */
export function differenceOf(
  name: string,
  [from, to]: readonly [from: unknown, to: unknown],
  what: string,
): Difference[] {
  return from === to ? [] : [{ what, fields: { [name]: { from, to } } }];
}

/** A write that makes a device as the fleet has it. */
export interface Change extends Difference {
  /** Throws a {@link RejectedError} if the server rejects this device; everything else ends the run. */
  readonly make: () => Promise<void>;
}

/** How a device on a network server differs from that of the fleet. */
export interface Comparison {
  readonly isNew: boolean;
  /** In the order in which they are sent. */
  readonly changes: readonly Change[];
  /** What an apply leaves as it is. */
  readonly byHand: readonly Difference[];
}

/** What a network server holds at the time of reading. */
export interface Reading {
  /** What the mapping file names, but the server does not have or cannot use. */
  readonly open: readonly PlanFact[];
  /** What the server leaves to others. */
  readonly lost?: readonly PlanFact[];
  compare(wanted: Wanted): Promise<Comparison>;
}

/** A running network server. */
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

/**
 * Returns what a network server says, in the form that a message may show; `undefined` if it may quote a secret. `secrets` are those
 * of the call: the API key, and the AppKey of the device.
 */
export function saidBy(text: unknown, secrets: readonly string[]): string | undefined {
  // A server may write the bytes of a key in base64.
  const bytes = secrets.map((secret) => Buffer.from(secret, "hex").toString("base64"));
  return createShowText(createSecretCheck([...secrets, ...bytes]))(text);
}
