import type { EventOf, Resource } from "./envelope.ts";

export interface Dispute extends Resource {
  status?: string | null | undefined;
  reason?: string | null | undefined;
}

/** Dispute events, by type. */
export interface DisputeEvents {
  /** Fires when a cardholder disputes a charge with the bank. */
  "dispute.opened": EventOf<"dispute.opened", Dispute>;
  /**
   * Fires when status or reason changes, including an inquiry reclassified as a fraud chargeback.
   */
  "dispute.updated": EventOf<"dispute.updated", Dispute>;
  /** Fires when the bank reaches its final verdict, won or lost. */
  "dispute.closed": EventOf<"dispute.closed", Dispute>;
}
