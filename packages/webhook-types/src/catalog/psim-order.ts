import type { EventOf, Resource } from "./envelope.ts";

/** An order of a physical SIM. The recipient's e-mail and address come by webhook only; stored events lack them. */
export interface PsimOrder extends Resource {
  /** Personal data. */
  shipping_address?: unknown;
}

/** Physical SIM order events, by type. */
export interface PsimOrderEvents {
  /**
   * Fires when a paid order is placed (card charged).
   *
   * The recipient's e-mail and address come by webhook only.
   */
  "psim_order.paid": EventOf<"psim_order.paid", PsimOrder>;
  /**
   * Fires when a free order is placed.
   *
   * The recipient's e-mail and address come by webhook only.
   */
  "psim_order.created": EventOf<"psim_order.created", PsimOrder>;
  /** Fires when an order's charge is refunded or a paid order is canceled. */
  "psim_order.refunded": EventOf<"psim_order.refunded", PsimOrder>;
  /** Fires when a free order is canceled. */
  "psim_order.canceled": EventOf<"psim_order.canceled", PsimOrder>;
}
