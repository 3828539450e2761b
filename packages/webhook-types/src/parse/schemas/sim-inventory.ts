import * as z from "zod/mini";
import type { SimInventoryEvents } from "../../catalog/sim-inventory.ts";
import { once, data, resource, type Rows } from "./fields.ts";

const simInventory = once(() => resource({}));
const quarantinedCard = () => resource({ quarantine_reason: z.string() });
const lowStock = () => resource({ available: z.number(), threshold: z.number() });

export const simInventoryRows = {
  "sim_inventory.imported": () => data(simInventory()),
  "sim_inventory.claimed": () => data(simInventory()),
  "sim_inventory.released": () => data(simInventory()),
  "sim_inventory.quarantined": () => data(quarantinedCard()),
  "sim_inventory.low_stock": () => data(lowStock()),
} satisfies Rows<SimInventoryEvents>;
