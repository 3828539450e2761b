import * as z from "zod/mini";
import { eventData, guess, maybeNumber, maybeString, resource, shared } from "../fields.ts";

/** A card of the stock, or a batch of them. */
export const SimInventory = shared(() => resource({}));

const quarantine = () => ({
  /** The spec does not say where it is: `fieldOf(event, "quarantine_reason")` looks in both places. */
  quarantine_reason: maybeString(),
});

/** A card that was withdrawn. */
export const QuarantinedCard = () => z.extend(SimInventory(), { ...quarantine() });

/** The data of `sim_inventory.quarantined`. */
export const QuarantinedCardData = () =>
  z.extend(eventData(guess(QuarantinedCard())), { ...quarantine() });

const stock = () => ({
  /**
   * The number of cards left for this carrier connection and card type. The spec does not say where it is: `fieldOf(event, "available")`
   * looks in both places.
   */
  available: maybeNumber(),
  /** As for `available`, the spec does not say where it is. */
  threshold: maybeNumber(),
});

/** A low stock. */
export const LowStock = () => z.extend(SimInventory(), { ...stock() });

/** The data of `sim_inventory.low_stock`. */
export const LowStockData = () => z.extend(eventData(guess(LowStock())), { ...stock() });

/** SIM inventory events, by type. */
export const SimInventoryEvents = {
  /** Fires when a batch of cards is loaded (one event per import). */
  "sim_inventory.imported": () => eventData(SimInventory()),
  /** Fires when a card is drawn for a new SIM. */
  "sim_inventory.claimed": () => eventData(SimInventory()),
  /**
   * Fires when a claimed card returns to the pool because its SIM's port-in was cancelled or
   * failed.
   */
  "sim_inventory.released": () => eventData(SimInventory()),
  /** Fires when a card is withdrawn permanently; carries `quarantine_reason`. */
  "sim_inventory.quarantined": () => QuarantinedCardData(),
  /**
   * Fires when a claim leaves exactly the low-stock threshold of available cards for that carrier
   * connection and card type; carries available and threshold; fires on the crossing only.
   */
  "sim_inventory.low_stock": () => LowStockData(),
};
