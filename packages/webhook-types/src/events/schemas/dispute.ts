import * as z from "@fieldmesh/core/internal/zod";
import { eventData, guess, maybeString, resource, sensitive, shared } from "../fields.ts";

/** A dispute of a charge. */
export const Dispute = shared(() =>
  resource({
    /** The status. The spec shows no value. */
    status: maybeString(),
    /** The reason for the dispute. The bank may have written it, so it is hidden in logs. */
    reason: guess(z.nullish(sensitive("personal", z.string()))),
  }),
);

/** Dispute events, by type. */
export const DisputeEvents = {
  /** Fires when a cardholder disputes a charge with the bank. */
  "dispute.opened": () => eventData(Dispute()),
  /** Fires when the status or reason of a dispute changes. One such change is an inquiry that becomes a fraud chargeback. */
  "dispute.updated": () => eventData(Dispute()),
  /** Fires when the bank reaches its final verdict: the dispute is won or lost. */
  "dispute.closed": () => eventData(Dispute()),
};
