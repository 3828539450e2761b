import type { EventMap, EventType } from "../events/webhook-event.ts";
import type { EventEnvelope, UnknownEvent } from "../events/envelope.ts";
import type { EventHandlers, AnyEventMap } from "../router/event-handlers.ts";
import type { VerifierOptions } from "../verify/create-verifier.ts";
import type { VerificationReason } from "../verify/verification-error.ts";
import type { DeliveryOutcome } from "./responses.ts";
import type { HandleEventOptions } from "./handle-event.ts";
import type { ValidationOptions } from "../parse/parse-event.ts";

/** Options of {@link createReceiver}: those of a verifier, the handlers, and where done events are remembered. */
export interface ReceiverOptions<Events extends AnyEventMap = EventMap>
  extends
    Omit<VerifierOptions, "now">,
    ValidationOptions,
    Pick<HandleEventOptions, "store" | "order" | "lease" | "clock" | "poison"> {
  /** As for `createEventRouter`. The response is 2xx only after all that match have ended. */
  readonly handlers: EventHandlers<Events>;
  /** What `createEventParser` made, for schemas of your own. @default parseEvent */
  readonly parse?:
    | ((body: unknown, options: ValidationOptions) => Events[EventType] | UnknownEvent)
    | undefined;
  /** Rejects events of the other environment: `true` for live, `false` for sandbox. @default both are accepted */
  readonly expectLivemode?: boolean | undefined;
  /** How many bytes a body may have. @default 1_048_576 */
  readonly maxBytes?: number | undefined;
  /**
   * Receives every delivery and the status of its response; for logs and counters.
   *
   * @default - without `logger` either, one `console.warn` a minute for each reason to reject a delivery
   */
  readonly onOutcome?: ((report: DeliveryReport) => void) | undefined;
  /** Receives a line for every delivery: console, or a logger of pino or winston. No line holds a header or a payload. */
  readonly logger?: ReceiverLogger | undefined;
  /**
   * Receives what handlers threw, and why a store, a body or the function of the secret could not be used. The sender
   * does not see it.
   *
   * @default console.error
   */
  readonly onError?: ((error: unknown, report: DeliveryReport) => void) | undefined;
}

/** What a receiver needs of a logger. */
export interface ReceiverLogger {
  /** Deliveries with a 2xx response, except events that were set aside. */
  debug(message: string): unknown;
  /** Deliveries that were rejected, or that the sender should retry. */
  warn(message: string): unknown;
  /** Deliveries that failed by an error, and events that were set aside after one, which `onError` receives. */
  error(message: string): unknown;
}

/** What became of one delivery. It holds no payload, so that it may be logged. */
export interface DeliveryReport {
  readonly outcome: DeliveryOutcome;
  readonly status: number;
  /** `undefined` where the delivery was not verified or not parsed. */
  readonly event: Pick<EventEnvelope, "id" | "type"> | undefined;
  /** Why it was not verified: a wrong secret or clock, for instance; `undefined` for every other outcome. */
  readonly reason: VerificationReason | undefined;
}
