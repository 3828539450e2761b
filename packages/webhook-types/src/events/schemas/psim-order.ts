import * as z from "zod/mini";
import { eventData, resource, sensitive, shared } from "../fields.ts";

/** An order of a physical SIM. The recipient's e-mail and address come by webhook only; stored events lack them. */
export const PsimOrder = shared(() =>
  resource({
    /** Personal data. */
    shipping_address: z.optional(sensitive("personal", z.unknown())),
  }),
);

/** Physical SIM order events, by type. */
export const PsimOrderEvents = {
  /**
   * Fires when a paid order is placed (card charged).
   *
   * The recipient's e-mail and address come by webhook only.
   */
  "psim_order.paid": () => eventData(PsimOrder()),
  /**
   * Fires when a free order is placed.
   *
   * The recipient's e-mail and address come by webhook only.
   */
  "psim_order.created": () => eventData(PsimOrder()),
  /** Fires when an order's charge is refunded or a paid order is canceled. */
  "psim_order.refunded": () => eventData(PsimOrder()),
  /** Fires when a free order is canceled. */
  "psim_order.canceled": () => eventData(PsimOrder()),
};
