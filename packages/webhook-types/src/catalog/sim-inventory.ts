import type { EventOf, Resource } from "./envelope.ts";

/** A card of the stock, or a batch of them. */
export interface SimInventory extends Resource {}

export interface QuarantinedCard extends SimInventory {
  quarantine_reason: string;
}

export interface LowStock extends SimInventory {
  /** Cards left for this carrier connection and card type. */
  available: number;
  threshold: number;
}

/** SIM inventory events, by type. */
export interface SimInventoryEvents {
  /** Fires when a batch of cards is loaded (one event per import). */
  "sim_inventory.imported": EventOf<"sim_inventory.imported", SimInventory>;
  /** Fires when a card is drawn for a new SIM. */
  "sim_inventory.claimed": EventOf<"sim_inventory.claimed", SimInventory>;
  /**
   * Fires when a claimed card returns to the pool because its SIM's port-in was cancelled or
   * failed.
   */
  "sim_inventory.released": EventOf<"sim_inventory.released", SimInventory>;
  /** Fires when a card is withdrawn permanently; carries `quarantine_reason`. */
  "sim_inventory.quarantined": EventOf<"sim_inventory.quarantined", QuarantinedCard>;
  /**
   * Fires when a claim leaves exactly the low-stock threshold of available cards for that carrier
   * connection and card type; carries available and threshold; fires on the crossing only.
   */
  "sim_inventory.low_stock": EventOf<"sim_inventory.low_stock", LowStock>;
}
