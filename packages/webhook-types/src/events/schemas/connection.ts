import * as z from "@fieldmesh/core/internal/zod";
import { recordOf } from "@fieldmesh/core/internal";
import { changeData, eventData, guess, open, openEnum, resource, shared } from "../fields.ts";
import { fits, says, stating } from "../statements.ts";

/** A connection to a carrier. The spec shows no field of it. */
export const CarrierConnection = shared(() => resource({}));

/** A connection to a payment processor. Its events fire only when a scheduled check finds the status changed. */
export const PaymentConnection = shared(() =>
  resource({
    /** The status. The spec names only `active`, for a working connection. */
    status: guess(z.nullish(openEnum("active"))),
  }),
);

/** The previous values. */
export const PaymentConnectionBefore = shared(() =>
  open({
    /** The previous status. */
    status: guess(openEnum("active")),
  }),
);

const changedConnection = () => changeData(PaymentConnection(), PaymentConnectionBefore());
const hasChanged = fits(
  "previous_attributes.status",
  "another status than that of the object",
  (status, { object }) => status !== recordOf(object)["status"],
);

/** Carrier connection events, by type. These events report on the connection to a carrier. */
export const CarrierConnectionEvents = {
  /** Fires when a scheduled verify call succeeds. */
  "carrier_connection.verified": () => eventData(CarrierConnection()),
  /** Fires when authentication fails in a verify call. */
  "carrier_connection.auth_failed": () => eventData(CarrierConnection()),
  /** Fires when the carrier credentials expire. */
  "carrier_connection.credentials_expired": () => eventData(CarrierConnection()),
  /**
   * Fires when a scheduled verify call fails.
   *
   * @deprecated Of an earlier catalog; today likely `carrier_connection.auth_failed`.
   */
  "carrier_connection.verify_failed": () => eventData(CarrierConnection()),
};

/**
 * Payment connection events, by type. These events fire only if a scheduled check finds that the status of the connection
 * has changed.
 */
export const PaymentConnectionEvents = {
  /**
   * Fires when the connection to the payment processor works again: its status becomes `active`.
   *
   * The event fires only if a scheduled check finds that the status has changed.
   */
  "payment_connection.verified": () =>
    stating(changedConnection(), says("object.status", ["active"]), hasChanged),
  /**
   * Fires when the payment processor rejects the credentials.
   *
   * The event fires only if a scheduled check finds that the status has changed.
   */
  "payment_connection.auth_failed": () => stating(changedConnection(), hasChanged),
  /**
   * Fires when the credentials for the payment processor expire.
   *
   * The event fires only if a scheduled check finds that the status has changed.
   */
  "payment_connection.credentials_expired": () => stating(changedConnection(), hasChanged),
};
