import {
  checkPromise,
  isOurs,
  mistake,
  readInTime,
  steadyClock,
  systemClock,
} from "@fieldmesh/core/internal";
import type { RawMessage } from "../adapters/raw-message.ts";
import type { EventEnvelope } from "../events/envelope.ts";
import { isEvent } from "../events/is-event.ts";
import type { EventDelivery } from "../router/event-handlers.ts";
import { type RawBody, readHeader } from "../verify/message.ts";
import {
  type InnerVerifier,
  makeVerifier,
  readSigned,
  type VerifiedMessage,
} from "../verify/create-verifier.ts";
import { WebhookVerificationError } from "../verify/verification-error.ts";
import type { DeliveryOptions, ReportOptions } from "./receiver-options.ts";
import type { DeliveryResult } from "./report-delivery.ts";
import { createTenantVerifiers, isTenantSecrets, type TenantVerifier } from "./tenants.ts";

const MIB = 2 ** 20;
const STOPPED =
  "The body did not arrive within 30 s. The sender stopped, or a proxy holds the rest.";

export interface VerifiedDelivery {
  readonly verified: VerifiedMessage;
  readonly tenant: string | undefined;
}

/**
 * Returns a function that reads the body of a delivery up to a limit and verifies it, or returns why there is none. An `error` in
 * that is one of the user's own code: what anyone can send causes none.
 */
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
  checkPromise();
  const isForTenants = isTenantSecrets(secret);
  if (isForTenants && secrets !== undefined)
    throw mistake("Pass either secret: { tenantOf, secretsOf } or secrets, not both.");
  // Without a clock of the caller, the verifier measures its waits by a clock that is never set back.
  const now = steadyClock(clock) === clock ? () => clock.now() : undefined;
  const verification = { scheme, tolerance, now };
  const verifierFor = isForTenants
    ? createTenantVerifiers(secret, verification)
    : always({ verify: makeVerifier({ ...verification, secret, secrets }) });

  return async (message) => {
    const { method, headers } = message;
    if (method !== "POST") return { outcome: "not_post" };
    try {
      // Other code may have replaced the global Promise since.
      checkPromise();
      // First, because a request without a signature must cost neither a call for a secret nor memory for a body.
      const signed = readSigned(scheme, message);
      if (Number(readHeader(headers, "content-length") ?? 0) > maxBytes)
        return { outcome: "too_large" };
      const verifier = verifierFor(message);
      if ("advice" in verifier) return { outcome: "not_verified", ...verifier };
      const read = await readRaw(message, maxBytes);
      if ("outcome" in read) return read;
      const verified = await verifier.verify({ body: read.raw, headers }, signed);
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

/** The sender may break off, or stop in the middle. Only our own error says that the program has read the body before. */
async function readRaw(
  { body }: RawMessage,
  maxBytes: number,
): Promise<{ readonly raw: RawBody } | DeliveryResult> {
  try {
    const raw =
      typeof body === "function" ? await readInTime((late) => body(maxBytes, late)) : body;
    if (raw === null) return { outcome: "incomplete", advice: STOPPED };
    return raw === undefined || sizeOf(raw) > maxBytes ? { outcome: "too_large" } : { raw };
  } catch (error) {
    if (isOurs(error)) throw error;
    return { outcome: "incomplete" };
  }
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

/** One verifier for all deliveries. */
function always(verifier: { verify: InnerVerifier }): () => TenantVerifier {
  const found = { ...verifier, tenant: undefined };
  return () => found;
}

/** A string has at least as many bytes as characters, and no sender writes three times as many. */
function sizeOf(body: string | Uint8Array | ArrayBuffer): number {
  return typeof body === "string" ? body.length : body.byteLength;
}
