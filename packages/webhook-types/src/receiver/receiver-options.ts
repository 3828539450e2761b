import type { EventMap, EventType } from "../events/webhook-event.ts";
import type { EventEnvelope, UnknownEvent } from "../events/envelope.ts";
import type { EventHandlers, AnyEventMap } from "../router/event-handlers.ts";
import type { VerifierOptions } from "../verify/create-verifier.ts";
import type { VerificationReason } from "../verify/verification-error.ts";
import type { TenantSecrets } from "./tenants.ts";
import type { DeliveryOutcome } from "./responses.ts";
import type { HandleEventOptions } from "./handle-event-options.ts";
import type { ValidationOptions } from "../parse/parse-event.ts";

/** Options of {@link createReceiver}: those of the verifier, the handlers, and the store that remembers handled events. */
export interface ReceiverOptions<Events extends AnyEventMap = EventMap>
  extends
    Omit<VerifierOptions, "now" | "secret">,
    ValidationOptions,
    Pick<HandleEventOptions, "store" | "order" | "lease" | "clock" | "poison"> {
  /**
   * The signing secret of the webhook endpoint, a function that returns it, as for `createVerifier`, or the secrets of many
   * tenants. Either this or `secrets` is required.
   */
  readonly secret?: VerifierOptions["secret"] | TenantSecrets;
  /** The handlers, as for `createEventRouter`. The response is 2xx only after all matching handlers have finished. */
  readonly handlers: EventHandlers<Events>;
  /** A parser from `createEventParser`, for your own schemas. @default parseEvent */
  readonly parse?:
    | ((body: unknown, options: ValidationOptions) => Events[EventType] | UnknownEvent)
    | undefined;
  /** Rejects events of the other environment: `true` accepts live, `false` accepts sandbox. @default both are accepted */
  readonly expectLivemode?: boolean | undefined;
  /** The largest body, in bytes. @default 1_048_576 */
  readonly maxBytes?: number | undefined;
  /**
   * Receives every delivery and the status of its response, also those that anyone can send. Use it for logs and counters.
   *
   * @default - without `logger` either, one `console.warn` per minute for each reason to reject a delivery, with the number
   */
  readonly onOutcome?: ((report: DeliveryReport) => void) | undefined;
  /**
   * Receives a line for every delivery, and for those that were not verified one per minute for each reason, with the number:
   * `console`, or a logger of pino or winston. No line contains a header or a payload.
   */
  readonly logger?: ReceiverLogger | undefined;
  /**
   * Receives the errors of handlers, of a store, and of the function that returns the secret. The sender does not see them.
   *
   * It is not called for what a sender can cause: a missing or wrong signature, and a body that is too large or breaks off. It is
   * called once a minute for each kind of error of a store, a queue or the function that returns the secret.
   *
   * @default console.error - with the number of times, where it is called once a minute
   */
  readonly onError?: ((error: unknown, report: DeliveryReport) => void) | undefined;
}

/** The options about a delivery: how it is signed, and which ones are accepted. */
export type DeliveryOptions = Pick<
  ReceiverOptions,
  "secret" | "secrets" | "scheme" | "tolerance" | "expectLivemode" | "maxBytes"
>;

/** The options about an event: how it is parsed, handled and remembered. */
export type HandlingOptions<Events extends AnyEventMap> = Pick<
  ReceiverOptions<Events>,
  "store" | "order" | "lease" | "poison" | "handlers" | "parse" | "validation" | "onDrift"
>;

/** The functions that observe, and the clock. */
export type ReportOptions = Pick<ReceiverOptions, "clock" | "onOutcome" | "logger" | "onError">;

/** The methods of a logger that a receiver calls. */
export interface ReceiverLogger {
  /** Receives deliveries with a 2xx response, except events that were set aside. */
  debug(message: string): unknown;
  /** Receives deliveries that were rejected, or that the sender should retry. */
  warn(message: string): unknown;
  /** Receives deliveries that failed with an error, and events that were set aside after one. `onError` receives the error. */
  error(message: string): unknown;
}

/** The outcome of one delivery. It contains no payload, so you may log it. */
export interface DeliveryReport {
  readonly outcome: DeliveryOutcome;
  readonly status: number;
  /** `undefined` if the delivery was not verified or not parsed. */
  readonly event: Pick<EventEnvelope, "id" | "type"> | undefined;
  /** Why it was not verified, such as a wrong secret or clock. `undefined` for every other outcome, and without a tenant. */
  readonly reason: VerificationReason | undefined;
}
