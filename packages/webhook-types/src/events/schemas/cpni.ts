import * as z from "@fieldmesh/core/internal/zod";
import { recordOf } from "@fieldmesh/core/internal";
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
  snapshot,
  someString,
} from "../fields.ts";
import { carries, fits, isStamp, lacks, says, type Statement, stating } from "../statements.ts";

/** A support agent. */
export const Agent = () =>
  open({
    /** The id of the agent. */
    user_id: z.string(),
    /** The email address of the agent: personal data. */
    email: sensitive("personal", z.string()),
  });

/** A verification that a support agent needs before access to the personal data or the account of a subscriber (CPNI). */
export const CpniVerification = shared(() =>
  snapshot({
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
     * The one-time code for the subscriber, which you deliver on your own channel. Don't log or store it.
     *
     * Only the signed webhook has it. An event from `/events` never has it.
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
    /** The agent who entered the code or the wrong codes. Absent if that was `agent`. */
    submitted_by: guess(z.optional(Agent())),
  }),
);

/** A request of an agent to a supervisor, for access without the code. It carries no personal data and no code. */
export const CpniEscalation = shared(() =>
  resource({
    /** What the agent wrote. Hidden in logs. */
    reason: guess(z.nullish(sensitive("personal", z.string()))),
  }),
);

const submitted = (status: Statement) =>
  stating(
    eventData(SubmittedCpniVerification()),
    status,
    says("object.object", ["cpni_verification"]),
    lacks("code"),
    fits(
      "object.submitted_by.user_id",
      "another agent than `agent`",
      (id, { object }) => id !== recordOf(recordOf(object)["agent"])["user_id"],
    ),
  );

const escalation = (...statements: readonly Statement[]) =>
  stating(
    eventData(CpniEscalation()),
    lacks("code", "email", "phone", "date_of_birth"),
    fits("object.agent.email", "no email", () => false),
    ...statements,
  );

/**
 * CPNI step-up events, by type. When a support agent needs the personal data of a subscriber or has to change the account,
 * the service issues a one-time code. You deliver the code to the subscriber, who reads it to the agent.
 */
export const CpniEvents = {
  /**
   * Fires when an agent starts a step-up challenge. `data.object.code` is the one-time code.
   *
   * Deliver the code to the subscriber on your own channel. Don't log or store it. Stored events never contain it.
   */
  "cpni.verification.requested": () =>
    stating(
      eventData(RequestedCpniVerification()),
      says("object.object", ["cpni_verification"], "unless-strict"),
      fits("object.code", "digits", (code) => /^\d+$/.test(String(code)), "unless-strict"),
      fits("object.expires_at", "an ISO 8601 time", isStamp, "unless-strict"),
      fits("object.grant_duration_seconds", "an integer", Number.isInteger, "unless-strict"),
    ),
  /**
   * Fires when the agent enters the correct code.
   *
   * `agent` is the agent who requested the verification. `submitted_by` is present only if another agent entered the code.
   */
  "cpni.verification.succeeded": () => submitted(says("object.status", ["verified"])),
  /**
   * Fires when the challenge is locked after too many attempts.
   *
   * `agent` is the agent who requested the verification. `submitted_by` is present only if another agent entered the wrong
   * codes.
   */
  "cpni.verification.failed": () =>
    submitted(
      fits("object.status", "another status than verified", (value) => value !== "verified"),
    ),
  /** Fires when an agent asks a supervisor for access without the code. The event carries the agent's reason. */
  "cpni.escalation.requested": () => escalation(carries("reason")),
  /**
   * Fires when a supervisor approves the request. The agent then has access for a limited time. Use the event to tell the
   * subscriber.
   */
  "cpni.escalation.approved": () => escalation(),
  /** Fires when a supervisor denies the request. */
  "cpni.escalation.denied": () => escalation(),
};
