import type { CarrierConnectionEvents, PaymentConnectionEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const carrier = { id: "cc_01JD3YH1X8" };
const processor = { id: "pc_01JD3Z29J1", status: "active" };
const failed = { status: "auth_failed" };
const expired = { status: "credentials_expired" };
const active = { status: "active" };

export const carrierConnectionSamples: Samples<CarrierConnectionEvents> = {
  "carrier_connection.verified": { object: carrier },
  "carrier_connection.auth_failed": { object: carrier },
  "carrier_connection.credentials_expired": { object: carrier },
  "carrier_connection.verify_failed": { object: carrier },
};

export const paymentConnectionSamples: Samples<PaymentConnectionEvents> = {
  "payment_connection.verified": { object: processor, previous_attributes: failed },
  "payment_connection.auth_failed": {
    object: { ...processor, ...failed },
    previous_attributes: active,
  },
  "payment_connection.credentials_expired": {
    object: { ...processor, ...expired },
    previous_attributes: active,
  },
};
