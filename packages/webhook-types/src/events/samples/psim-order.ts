import type { PsimOrderEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const order = {
  id: "pso_01JD3YV1T3",
  status: "processing",
  email: "ada@example.com",
  shipping_address: { line1: "12 Harbour Street", city: "Portland", country: "US" },
};

export const psimOrderSamples: Samples<PsimOrderEvents> = {
  "psim_order.paid": { object: { ...order, amount_cents: 500 } },
  "psim_order.created": { object: order },
  "psim_order.refunded": { object: { ...order, status: "refunded", amount_cents: 500 } },
  "psim_order.canceled": { object: { ...order, status: "canceled" } },
};
