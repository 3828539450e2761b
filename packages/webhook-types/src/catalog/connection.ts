import type { OpenEnum } from "@fieldmesh/core";
import type { ChangeOf, EventOf, OpenRecord, Resource } from "./envelope.ts";

export interface CarrierConnection extends Resource {}

/** A connection to a payment processor. Its events fire only when a scheduled check finds the status changed. */
export interface PaymentConnection extends Resource {
  status?: OpenEnum<"active"> | null | undefined;
}

export interface PaymentConnectionBefore extends OpenRecord {
  status: OpenEnum<"active">;
}

/** Carrier connection events, by type. */
export interface CarrierConnectionEvents {
  /** Fires when a scheduled verify call succeeded. */
  "carrier_connection.verified": EventOf<"carrier_connection.verified", CarrierConnection>;
  /** Fires when a verify call failed authentication. */
  "carrier_connection.auth_failed": EventOf<"carrier_connection.auth_failed", CarrierConnection>;
  /** Fires when the carrier credentials expired. */
  "carrier_connection.credentials_expired": EventOf<
    "carrier_connection.credentials_expired",
    CarrierConnection
  >;
  /**
   * Fires when a scheduled verify call failed.
   *
   * @deprecated Of an earlier catalog; today likely `carrier_connection.auth_failed`.
   */
  "carrier_connection.verify_failed": EventOf<
    "carrier_connection.verify_failed",
    CarrierConnection
  >;
}

/** Payment connection events, by type. */
export interface PaymentConnectionEvents {
  /** Fires when the processor connection works again (status becomes active). */
  "payment_connection.verified": ChangeOf<
    "payment_connection.verified",
    PaymentConnection,
    PaymentConnectionBefore
  >;
  /** Fires when the processor rejected the credentials. */
  "payment_connection.auth_failed": ChangeOf<
    "payment_connection.auth_failed",
    PaymentConnection,
    PaymentConnectionBefore
  >;
  /** Fires when the processor credentials expired. */
  "payment_connection.credentials_expired": ChangeOf<
    "payment_connection.credentials_expired",
    PaymentConnection,
    PaymentConnectionBefore
  >;
}
