/**
 * Uplinks of a device that met the same fate, one every so many minutes. The events of them are made when they are read:
 * a fleet that runs for days costs a few of these a device.
 */
export interface Stretch {
  readonly fate: "taken" | "inactive" | "no credit";
  /** To whom they were handed, as it was named then. */
  integrations: readonly Handover[];
  /** Set for an uplink of `sendUplink`, with what was decoded of it: it is not counted with others. */
  readonly made?: { readonly decoded: unknown } | undefined;
  count: number;
  /** When the last one came. */
  last: number;
  /** Its frame counter. */
  frame: number;
  /** Data credits of the organization after it. */
  balance: number;
}

/** That an uplink was handed to an integration, which was named so at that time. */
export interface Handover {
  readonly id: string;
  readonly name: string;
  /** Why it did not get there, in the words of an event; `undefined` where it did. */
  readonly failure?: string | undefined;
}
