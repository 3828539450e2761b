// Why it is so: docs/decisions/10-respond-after-the-handlers.md
import { isEvent } from "../events/is-event.ts";
import {
  describeValue,
  guardInput,
  hasMethod,
  steadyClock,
  systemClock,
  within,
} from "@fieldmesh/core";
import type { EventEnvelope } from "../events/envelope.ts";
import { parseEvent } from "../parse/parse-event.ts";
import { createEventRouter } from "../router/create-event-router.ts";
import type { EventMap } from "../events/webhook-event.ts";
import type { CheckedNames } from "../router/checked-names.ts";
import type { AnyEventMap } from "../router/event-handlers.ts";
import { createVerifier, type VerifiedMessage, type Verifier } from "../verify/create-verifier.ts";
import { readHeader } from "../verify/headers.ts";
import { WebhookVerificationError } from "../verify/verification-error.ts";
import { receiveRequest } from "../adapters/web.ts";
import { createReporter, type DeliveryResult } from "./report-delivery.ts";
import { responseOf } from "./responses.ts";
import { checkReceiverOptions } from "./check-options.ts";
import type { EventOutcome } from "./event-outcome.ts";
import { handleChecked } from "./handle-event.ts";
import { runAgain } from "./run-again.ts";
import {
  type RawMessage,
  type RawReceiver,
  type ReceiverResponse,
} from "../adapters/raw-message.ts";
import { createTenantVerifiers, isTenantSecrets } from "./tenants.ts";
import { traceDelivery } from "./trace-delivery.ts";
import type { ReceiverOptions } from "./receiver-options.ts";

/**
 * Responds to deliveries: a function from Request to Response, which adapters also call. It rejects only for an argument that is not a
 * Request, with a TypeError that names the adapters.
 */
export interface Receiver extends RawReceiver {
  (request: Request): Promise<Response>;
  /**
   * Runs the handlers of an event that was set aside, and returns the outcome. See the option `poison`.
   *
   * An event that succeeds is removed from the list, and one that fails again stays. Rejects for an id that is not in the list,
   * and for an event that cannot be read again.
   */
  readonly runAgain: (id: string) => Promise<EventOutcome>;
}

const MIB = 2 ** 20;
/** A sender that stops in the middle of its body must not hold its delivery. */
const LONGEST_READ = 30_000;
const STOPPED =
  "The body did not arrive within 30 s. The sender stopped, or a proxy holds the rest.";

/**
 * Creates a receiver of webhooks. It reads the body up to a limit, verifies, parses and claims the event, runs the handlers, and
 * responds.
 *
 * No event is lost after a 2xx, because the receiver responds only after the handlers have finished and the store has recorded
 * it. How often an event may be handled again depends on the store: `memoryStore()`, `noStore()`, or a store from the entry
 * `./stores`. It has no default value, because each choice has a cost. Throws a TypeError for invalid options.
 *
 * @example
 * ```ts
 * const receive = createReceiver({
 *   secret: process.env.WEBHOOK_SECRET!,
 *   store: memoryStore(),
 *   handlers: { "sim.activated": (event) => console.log(event.data.object.subscriber_id) },
 * });
 * ```
 */
export function createReceiver<Events extends AnyEventMap = EventMap, Name extends string = never>(
  options: NoInfer<ReceiverOptions<Events>> & { readonly handlers: CheckedNames<Name, Events> },
): Receiver;
export function createReceiver(options: ReceiverOptions): Receiver {
  return guardInput("The argument of createReceiver", options, () => makeReceiver(options));
}

function makeReceiver(options: ReceiverOptions): Receiver {
  checkReceiverOptions(options);
  const { clock = systemClock, maxBytes = MIB, expectLivemode } = options;
  const parse: NonNullable<ReceiverOptions["parse"]> = options.parse ?? parseEvent;
  const { store, order, lease, poison, validation, onDrift } = options;
  // Without unset options, so that a parser keeps its own.
  const checking = { ...(validation && { validation }), ...(onDrift && { onDrift }) };
  const { secret, secrets, scheme, tolerance } = options;
  // Without a clock of the caller, the verifier measures its waits by a clock that is never set back.
  const now = steadyClock(clock) === clock ? () => clock.now() : undefined;
  const verification = { scheme, tolerance, now };
  const verifierFor = isTenantSecrets(secret)
    ? createTenantVerifiers(secret, verification)
    : always({ verify: createVerifier({ ...verification, secret, secrets }) });
  const router = createEventRouter(options.handlers);
  const handling = { store, order, lease, clock, router, poison };
  const report = createReporter(options, steadyClock(clock));

  const receive = (message: RawMessage): Promise<ReceiverResponse> =>
    traceDelivery(async () => {
      const result = await receiveOne(message);
      const response = responseOf(result.outcome, result.retryIn);
      report(result, response.status);
      return { result, response };
    });

  const receiveOne = async (message: RawMessage): Promise<DeliveryResult> => {
    const { method, headers, body, signal } = message;
    if (method !== "POST") return { outcome: "not_post" };
    let verified: VerifiedMessage;
    let tenant: string | undefined;
    try {
      if (Number(readHeader(headers, "content-length") ?? 0) > maxBytes)
        return { outcome: "too_large" };
      const verifier = verifierFor(message);
      if (verifier === undefined) return { outcome: "not_verified", advice: NO_TENANT };
      ({ tenant } = verifier);
      const raw =
        typeof body === "function"
          ? await within(LONGEST_READ, () => body(maxBytes), STOPPED)
          : body;
      if (raw === undefined || sizeOf(raw) > maxBytes) return { outcome: "too_large" };
      verified = await verifier.verify({ body: raw, headers });
    } catch (error) {
      if (error instanceof WebhookVerificationError) {
        const rejection = { outcome: "not_verified", reason: error.reason } as const;
        // Anyone can send a wrong signature. onError receives only the failure to read a secret.
        return error.cause === undefined
          ? { ...rejection, advice: error.message }
          : { ...rejection, advice: error.message, error };
      }
      return { outcome: "unreadable", error };
    }
    let event: EventEnvelope;
    try {
      event = parse(verified.body, checking);
      if (!isEvent(event))
        throw new TypeError("parse must return an event with an id and a type, and not a promise.");
    } catch (error) {
      return { outcome: "not_parsed", error };
    }
    const named = { id: event.id, type: event.type };
    if (expectLivemode !== undefined && event.livemode !== expectLivemode)
      return { outcome: "wrong_livemode", event: named };
    const { timestamp, secretIndex, id: messageId } = verified;
    const delivery = { signedAt: timestamp, secretIndex, messageId };
    const origin = { delivery, body: verified.body, signal };
    return { event: named, ...(await handleChecked(event, { ...handling, tenant }, origin)) };
  };

  const respond = async (request: Request): Promise<Response> => {
    const headers = guardInput("The request", request, () => request?.headers);
    if (!hasMethod(headers, "get"))
      throw new TypeError(
        `A receiver requires a Request, not ${describeValue(request)}. Use an adapter: createServer(toNodeHandler(receive)), or toExpressHandler(receive) for Express.`,
      );
    return receiveRequest(receive, request);
  };
  const runOneAgain = async (id: string): Promise<EventOutcome> => {
    if (poison === undefined)
      throw new TypeError("This receiver sets no event aside. Pass poison: { store }.");
    return runAgain(id, { ...handling, poison, parse: (body) => parse(body, checking) });
  };
  return Object.assign(respond, { receive, runAgain: runOneAgain });
}

const NO_TENANT = "tenantOf returned no tenant for its method, URL and headers.";

/** One verifier for all deliveries. */
function always(verifier: { verify: Verifier }): () => { verify: Verifier; tenant?: undefined } {
  return () => verifier;
}

/** A string has at least as many bytes as characters, and no sender writes three times as many. */
function sizeOf(body: string | Uint8Array | ArrayBuffer): number {
  return typeof body === "string" ? body.length : body.byteLength;
}
