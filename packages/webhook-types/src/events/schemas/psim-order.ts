import * as z from "zod/mini";
import { eventData, guess, resource, sensitive, shared } from "../fields.ts";

/** An order of a physical SIM. Only the webhook has the recipient's e-mail address and postal address; stored events lack them. */
export const PsimOrder = shared(() =>
  resource({
    /** The e-mail address of the recipient, under this name (observed). Personal data. */
    email: guess(z.optional(sensitive("personal", z.unknown()))),
    /** Personal data. */
    shipping_address: guess(z.optional(sensitive("personal", z.unknown()))),
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
