import { steadyClock, systemClock, within, mistake } from "@fieldmesh/core/internal";
import type { RawMessage } from "../adapters/raw-message.ts";
import type { EventEnvelope } from "../events/envelope.ts";
import { isEvent } from "../events/is-event.ts";
import type { EventDelivery } from "../router/event-context.ts";
import { createVerifier, type VerifiedMessage, type Verifier } from "../verify/create-verifier.ts";
import { readHeader } from "../verify/headers.ts";
import { WebhookVerificationError } from "../verify/verification-error.ts";
import type { DeliveryOptions, ReportOptions } from "./receiver-options.ts";
import type { DeliveryResult } from "./report-delivery.ts";
import { createTenantVerifiers, isTenantSecrets } from "./tenants.ts";

const MIB = 2 ** 20;
/** A sender that stops in the middle of its body must not hold its delivery. */
const LONGEST_READ = 30_000;
const STOPPED =
  "The body did not arrive within 30 s. The sender stopped, or a proxy holds the rest.";

export interface VerifiedDelivery {
  readonly verified: VerifiedMessage;
  readonly tenant: string | undefined;
}

/** Returns a function that reads the body of a delivery up to a limit and verifies it, or returns why there is none. */
export function createReader({
  secret,
  secrets,
  scheme,
  tolerance,
  clock = systemClock,
  maxBytes = MIB,
}: DeliveryOptions & Pick<ReportOptions, "clock">): (
  message: RawMessage,
) => Promise<VerifiedDelivery | DeliveryResult> {
  const isForTenants = isTenantSecrets(secret);
  if (isForTenants && secrets !== undefined)
    throw mistake("Pass either secret: { tenantOf, secretsOf } or secrets, not both.");
  // Without a clock of the caller, the verifier measures its waits by a clock that is never set back.
  const now = steadyClock(clock) === clock ? () => clock.now() : undefined;
  const verification = { scheme, tolerance, now };
  const verifierFor = isForTenants
    ? createTenantVerifiers(secret, verification)
    : always({ verify: createVerifier({ ...verification, secret, secrets }) });

  return async (message) => {
    const { method, headers, body } = message;
    if (method !== "POST") return { outcome: "not_post" };
    try {
      if (Number(readHeader(headers, "content-length") ?? 0) > maxBytes)
        return { outcome: "too_large" };
      const verifier = verifierFor(message);
      if (verifier === undefined) return { outcome: "not_verified", advice: NO_TENANT };
      const raw =
        typeof body === "function"
          ? await within(LONGEST_READ, () => body(maxBytes), STOPPED)
          : body;
      if (raw === undefined || sizeOf(raw) > maxBytes) return { outcome: "too_large" };
      const verified = await verifier.verify({ body: raw, headers });
      return { verified, tenant: verifier.tenant };
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) return { outcome: "unreadable", error };
      const { reason, message: advice, cause } = error;
      const rejection = { outcome: "not_verified", reason, advice } as const;
      // Anyone can send a wrong signature. onError receives only the failure to read a secret.
      return cause === undefined ? rejection : { ...rejection, error };
    }
  };
}

/** Returns the event that a parser has read from a body as `parsed`, or why there is none. */
export function readEvent(
  parse: () => EventEnvelope,
  expectLivemode?: boolean,
): { readonly parsed: EventEnvelope } | DeliveryResult {
  let event: EventEnvelope;
  try {
    event = parse();
    if (!isEvent(event))
      throw mistake("parse must return an event with an id and a type, and not a promise.");
  } catch (error) {
    return { outcome: "not_parsed", error };
  }
  if (expectLivemode === undefined || event.livemode === expectLivemode) return { parsed: event };
  return { outcome: "wrong_livemode", event: { id: event.id, type: event.type } };
}

export function deliveryOf({ timestamp, secretIndex, id }: VerifiedMessage): EventDelivery {
  return { signedAt: timestamp, secretIndex, messageId: id };
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
