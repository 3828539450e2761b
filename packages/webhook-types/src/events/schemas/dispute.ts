import { eventData, maybeString, resource, shared } from "../fields.ts";

export const Dispute = shared(() => resource({ status: maybeString(), reason: maybeString() }));

/** Dispute events, by type. */
export const DisputeEvents = {
  /** Fires when a cardholder disputes a charge with the bank. */
  "dispute.opened": () => eventData(Dispute()),
  /**
   * Fires when status or reason changes, including an inquiry reclassified as a fraud chargeback.
   */
  "dispute.updated": () => eventData(Dispute()),
  /** Fires when the bank reaches its final verdict, won or lost. */
  "dispute.closed": () => eventData(Dispute()),
};
