import * as z from "zod/mini";
import { changeData, eventData, guess, open, openEnum, resource, shared } from "../fields.ts";

/** A connection to a carrier. The spec shows no field of it. */
export const CarrierConnection = shared(() => resource({}));

/** A connection to a payment processor. Its events fire only when a scheduled check finds the status changed. */
export const PaymentConnection = shared(() =>
  resource({
    /** The status. The spec names only `active`, for a working connection. */
    status: guess(z.nullish(openEnum("active"))),
  }),
);

/** The former values. */
export const PaymentConnectionBefore = shared(() =>
  open({
    /** The status before. */
    status: guess(openEnum("active")),
  }),
);

/** Carrier connection events, by type. */
export const CarrierConnectionEvents = {
  /** Fires when a scheduled verify call succeeded. */
  "carrier_connection.verified": () => eventData(CarrierConnection()),
  /** Fires when a verify call failed authentication. */
  "carrier_connection.auth_failed": () => eventData(CarrierConnection()),
  /** Fires when the carrier credentials expired. */
  "carrier_connection.credentials_expired": () => eventData(CarrierConnection()),
  /**
   * Fires when a scheduled verify call failed.
   *
   * @deprecated Of an earlier catalog; today likely `carrier_connection.auth_failed`.
   */
  "carrier_connection.verify_failed": () => eventData(CarrierConnection()),
};

/** Payment connection events, by type. */
export const PaymentConnectionEvents = {
  /** Fires when the processor connection works again (status becomes active). */
  "payment_connection.verified": () => changeData(PaymentConnection(), PaymentConnectionBefore()),
  /** Fires when the processor rejected the credentials. */
  "payment_connection.auth_failed": () =>
    changeData(PaymentConnection(), PaymentConnectionBefore()),
  /** Fires when the processor credentials expired. */
  "payment_connection.credentials_expired": () =>
    changeData(PaymentConnection(), PaymentConnectionBefore()),
};
