import type { SimInventoryEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const card = { id: "simi_01JD3YJ5Z3" };

export const simInventorySamples: Samples<SimInventoryEvents> = {
  "sim_inventory.imported": { object: { id: "simb_01JD3YG7V4" } },
  "sim_inventory.claimed": { object: card },
  "sim_inventory.released": { object: card },
  "sim_inventory.quarantined": { object: { ...card, quarantine_reason: "damaged" } },
  "sim_inventory.low_stock": { object: { available: 25, threshold: 25 } },
};
