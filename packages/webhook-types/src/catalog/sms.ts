import type { EventOf, Resource } from "./envelope.ts";

/** A text that a subscriber sent. All of it is personal data. */
export interface InboundMessage extends Resource {}

/** SMS events, by type. */
export interface SmsEvents {
  /**
   * Fires when a subscriber texts the short code; payload is the `inbound_message`; the service
   * does not answer it.
   */
  "sms.received": EventOf<"sms.received", InboundMessage>;
}
