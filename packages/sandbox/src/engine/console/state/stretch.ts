/**
 * Consecutive uplinks of a device with the same outcome, at a fixed interval. Their events are created when they are read, so a
 * fleet that runs for days needs only a few of these per device.
 */
export interface Stretch {
  readonly fate: "taken" | "inactive" | "no credit";
  /** The integrations that received them, with their names at that time. */
  readonly integrations: readonly Handover[];
  /** Set for an uplink of `sendUplink`, with its decoded payload. It is not merged with others. */
  readonly made?: { readonly decoded: unknown } | undefined;
  readonly count: number;
  /** The time of the last one. */
  readonly last: number;
  /** The frame counter of the last one. */
  readonly frame: number;
  /** The data credits of the organization after the last one. 0 for dropped ones. */
  readonly balance: number;
  /** The data credits that all devices spend from one of these uplinks to the next. 0 for a single one. */
  readonly cost: number;
}

/** An uplink that was sent to an integration, with the name of the integration at that time. */
export interface Handover {
  readonly id: string;
  readonly name: string;
  /** Why it failed, in the words of an event. `undefined` if it did not fail. */
  readonly failure?: string | undefined;
  /** The status of the response, or `null` if none arrived. `undefined` for an uplink that was not delivered: it is 200. */
  readonly status?: number | null | undefined;
}
