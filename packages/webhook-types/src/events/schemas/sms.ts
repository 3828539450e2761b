import { eventData, guess, resource, sensitive } from "../fields.ts";

/** A text message from a subscriber. All of it is personal data. */
export const InboundMessage = () => sensitive("personal", resource({}));

/** SMS events, by type. */
export const SmsEvents = {
  /** Fires when a subscriber texts the short code. The payload is the `inbound_message`. The service does not reply to it. */
  "sms.received": () => eventData(guess(InboundMessage())),
};
