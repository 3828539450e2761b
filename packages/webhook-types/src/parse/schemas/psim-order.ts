import * as z from "zod/mini";
import type { PsimOrderEvents } from "../../catalog/psim-order.ts";
import { once, data, resource, sensitive, type Rows } from "./fields.ts";

const order = once(() =>
  resource({ shipping_address: z.optional(sensitive("personal", z.unknown())) }),
);

export const psimOrderRows = {
  "psim_order.paid": () => data(order()),
  "psim_order.created": () => data(order()),
  "psim_order.refunded": () => data(order()),
  "psim_order.canceled": () => data(order()),
} satisfies Rows<PsimOrderEvents>;
