import * as z from "@fieldmesh/core/internal/zod";
import { recordOf } from "@fieldmesh/core/internal";
import { driftIssue } from "@fieldmesh/core/internal/schema";
import { eventData, guess, maybeNumber, maybeString, resource, shared } from "../fields.ts";
import { carries, stating } from "../statements.ts";

/** A card of the stock, or a batch of them. */
export const SimInventory = shared(() => resource({}));

const quarantine = () => ({
  /**
   * Why the card was withdrawn. The spec does not say whether it is in `data` or in `data.object`:
   * `fieldOf(event, "quarantine_reason")` looks in both.
   */
  quarantine_reason: maybeString(),
});

/** A card that was withdrawn. */
export const QuarantinedCard = () => z.extend(SimInventory(), { ...quarantine() });

/** The data of `sim_inventory.quarantined`. */
export const QuarantinedCardData = () =>
  z.extend(eventData(guess(QuarantinedCard())), { ...quarantine() });

const stock = () => ({
  /**
   * The number of cards left for this carrier connection and card type. The spec does not say whether it is in `data` or in
   * `data.object`: `fieldOf(event, "available")` looks in both.
   */
  available: maybeNumber(),
  /**
   * The low-stock threshold. The spec does not say whether it is in `data` or in `data.object`:
   * `fieldOf(event, "threshold")` looks in both.
   */
  threshold: maybeNumber(),
});

/** A stock that has reached its low-stock threshold. */
export const LowStock = () => z.extend(SimInventory(), { ...stock() });

/** The data of `sim_inventory.low_stock`. */
export const LowStockData = () => z.extend(eventData(guess(LowStock())), { ...stock() });

/** SIM inventory events, by type. The inventory is the stock of cards for new SIMs. */
export const SimInventoryEvents = {
  /** Fires when a batch of cards is loaded, once for each import. */
  "sim_inventory.imported": () => eventData(SimInventory()),
  /** Fires when a card is drawn for a new SIM. */
  "sim_inventory.claimed": () => eventData(SimInventory()),
  /** Fires when a claimed card returns to the pool because the port-in of its SIM was canceled or failed. */
  "sim_inventory.released": () => eventData(SimInventory()),
  /** Fires when a card is withdrawn permanently. The event carries `quarantine_reason`. */
  "sim_inventory.quarantined": () => stating(QuarantinedCardData(), carries("quarantine_reason")),
  /**
   * Fires when a claim brings the number of available cards down to exactly the low-stock threshold, for that carrier
   * connection and card type. It fires only when the threshold is crossed. The event carries `available` and `threshold`.
   */
  "sim_inventory.low_stock": () =>
    stating(LowStockData(), carries("available", "threshold"), (data) => {
      const { available, threshold } = { ...data, ...recordOf(data["object"]) };
      const hasBoth = typeof available === "number" && typeof threshold === "number";
      if (!hasBoth || available === threshold) return [];
      return [driftIssue(["object", "available"], "expected the threshold")];
    }),
};
