import type { PsimOrderEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const order = {
  id: "pso_01JD3YV1T3",
  email: "ada@example.com",
  shipping_address: "12 Harbour Street, Portland",
};

export const psimOrderSamples: Samples<PsimOrderEvents> = {
  "psim_order.paid": { object: order },
  "psim_order.created": { object: order },
  "psim_order.refunded": { object: order },
  "psim_order.canceled": { object: order },
};
