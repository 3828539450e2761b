import * as z from "@fieldmesh/core/internal/zod";
import { eventData, guess, resource, sensitive, shared } from "../fields.ts";

/** An order of a physical SIM. Only the webhook has the recipient's email address and postal address; stored events lack them. */
export const PsimOrder = shared(() =>
  resource({
    /** The email address of the recipient: personal data. The spec does not name this field. */
    email: guess(z.optional(sensitive("personal", z.unknown()))),
    /** The shipping address of the recipient: personal data. */
    shipping_address: guess(z.optional(sensitive("personal", z.unknown()))),
  }),
);

/** Physical SIM order events, by type. Only the webhook has the recipient's email and shipping address. */
export const PsimOrderEvents = {
  /**
   * Fires when a paid order is placed and the card is charged.
   *
   * Only the webhook has the recipient's email and shipping address: the stored event has them redacted.
   */
  "psim_order.paid": () => eventData(PsimOrder()),
  /**
   * Fires when a free order is placed.
   *
   * Only the webhook has the recipient's email and shipping address: the stored event has them redacted.
   */
  "psim_order.created": () => eventData(PsimOrder()),
  /**
   * Fires when the charge of an order is refunded, or when a paid order is canceled.
   *
   * Only the webhook has the recipient's email and shipping address: the stored event has them redacted.
   */
  "psim_order.refunded": () => eventData(PsimOrder()),
  /**
   * Fires when a free order is canceled.
   *
   * Only the webhook has the recipient's email and shipping address: the stored event has them redacted.
   */
  "psim_order.canceled": () => eventData(PsimOrder()),
};
