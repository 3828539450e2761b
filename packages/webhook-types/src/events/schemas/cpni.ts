import * as z from "zod/mini";
import {
  eventData,
  guess,
  maybeNumber,
  maybeString,
  open,
  openEnum,
  resource,
  secret,
  sensitive,
  shared,
  someString,
} from "../fields.ts";

/** A support agent. */
export const Agent = () =>
  open({
    /** The id of the agent. */
    user_id: z.string(),
    /** Personal data. */
    email: sensitive("personal", z.string()),
  });

/** A verification before an agent may see call records (CPNI). */
export const CpniVerification = shared(() =>
  open({
    /** Always `cpni_verification`. */
    object: guess(openEnum("cpni_verification")),
    /** The id of the verification. */
    id: someString(),
    /** The subscriber whose data the agent needs. */
    subscriber_id: someString(),
    /** The agent who asked for the verification. */
    agent: Agent(),
    /** When the code expires. */
    expires_at: maybeString(),
    /** How long the agent has access after the correct code. */
    grant_duration_seconds: maybeNumber(),
    /** The status. The spec names only `verified`. */
    status: guess(z.nullish(openEnum("verified"))),
  }),
);

/** A step-up challenge that was just started, with its one-time code. */
export const RequestedCpniVerification = () =>
  z.extend(CpniVerification(), {
    /** Always `cpni_verification`. */
    object: openEnum("cpni_verification"),
    /** The id of the verification. */
    id: z.string(),
    /** The subscriber whose data the agent needs. */
    subscriber_id: z.string(),
    /**
     * The one-time code, for the subscriber: you deliver it on your own channel. It must not be logged or stored.
     *
     * Only the signed webhook has it. An event that was read from `/events` never does.
     */
    code: guess(z.optional(secret())),
    /** When the code expires: after 10 minutes, unless the operator sets another time. */
    expires_at: z.string(),
    /** How long the agent has access after the correct code. */
    grant_duration_seconds: z.number(),
  });

/** A step-up challenge to which a code was submitted. */
export const SubmittedCpniVerification = shared(() =>
  z.extend(CpniVerification(), {
    /** The agent who entered the code or the wrong codes. Missing if it was `agent`. */
    submitted_by: guess(z.optional(Agent())),
  }),
);

/** Carries no personal data and no code. */
export const CpniEscalation = shared(() =>
  resource({
    /** A text of the agent. Hidden in logs. */
    reason: guess(z.nullish(sensitive("personal", z.string()))),
  }),
);

/** CPNI step-up events, by type. */
export const CpniEvents = {
  /**
   * Fires when an agent started a step-up challenge; carries the one-time code in
   * `data.object.code`.
   *
   * Stored events never carry the code. It must not be logged or stored.
   */
  "cpni.verification.requested": () => eventData(RequestedCpniVerification()),
  /**
   * Fires when the agent entered the correct code.
   *
   * `agent` asked for it; `submitted_by` is there only when another agent entered the code.
   */
  "cpni.verification.succeeded": () => eventData(SubmittedCpniVerification()),
  /**
   * Fires when the challenge locked out after too many attempts.
   *
   * `agent` asked for it; `submitted_by` is there only when another agent entered the wrong codes.
   */
  "cpni.verification.failed": () => eventData(SubmittedCpniVerification()),
  /**
   * Fires when an agent asked a supervisor for access without the code; carries the agent's
   * reason.
   */
  "cpni.escalation.requested": () => eventData(CpniEscalation()),
  /**
   * Fires when a supervisor approved; the agent has access for a limited window; use it to tell
   * the subscriber.
   */
  "cpni.escalation.approved": () => eventData(CpniEscalation()),
  /** Fires when a supervisor turned the request down. */
  "cpni.escalation.denied": () => eventData(CpniEscalation()),
};
