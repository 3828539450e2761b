import type { SimInventoryEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const batch = {
  id: "simb_01JD3YG7V4",
  carrier_connection_id: "cc_01JD3YH1X8",
  imported_count: 500,
};
const card = {
  id: "simi_01JD3YJ5Z3",
  carrier_connection_id: batch.carrier_connection_id,
  card_type: "esim",
};

export const simInventorySamples: Samples<SimInventoryEvents> = {
  "sim_inventory.imported": { object: batch, imported: true },
  "sim_inventory.claimed": { object: card },
  "sim_inventory.released": { object: card },
  "sim_inventory.quarantined": { object: { ...card, quarantine_reason: "damaged" } },
  "sim_inventory.low_stock": {
    object: {
      carrier_connection_id: batch.carrier_connection_id,
      card_type: "esim",
      available: 25,
      threshold: 25,
    },
  },
};
