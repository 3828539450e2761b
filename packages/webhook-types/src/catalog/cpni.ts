import type { OpenEnum, Secret } from "@fieldmesh/core";
import type { EventOf, OpenRecord, Resource } from "./envelope.ts";

export interface Agent extends OpenRecord {
  user_id: string;
  /** Personal data. */
  email: string;
}

export interface CpniVerification extends OpenRecord {
  object: OpenEnum<"cpni_verification">;
  id: string;
  subscriber_id: string;
  /** The agent who asked for the verification. */
  agent: Agent;
  expires_at?: string | null | undefined;
  grant_duration_seconds?: number | null | undefined;
  status?: OpenEnum<"verified"> | null | undefined;
}

export interface RequestedCpniVerification extends CpniVerification {
  /**
   * The one-time code, for the subscriber. It must not be logged or stored.
   *
   * Comes with the signed webhook only: an event that was read from `/events` never has it.
   */
  code?: Secret | undefined;
  /** The end of the code's life; an operator sets it, 10 minutes by default. */
  expires_at: string;
  /** For how long the agent has access after the right code. */
  grant_duration_seconds: number;
}

export interface SubmittedCpniVerification extends CpniVerification {
  /** Who entered the code (or the wrong codes); only there when it was not `agent`. */
  submitted_by?: Agent | undefined;
}

/** Carries no personal data and no code. */
export interface CpniEscalation extends Resource {
  reason?: string | null | undefined;
}

/** CPNI step-up events, by type. */
export interface CpniEvents {
  /**
   * Fires when an agent started a step-up challenge; carries the one-time code in
   * `data.object.code`.
   *
   * Stored events never carry the code. It must not be logged or stored.
   */
  "cpni.verification.requested": EventOf<"cpni.verification.requested", RequestedCpniVerification>;
  /**
   * Fires when the agent entered the correct code.
   *
   * `agent` asked for it; `submitted_by` is there only when another agent entered the code.
   */
  "cpni.verification.succeeded": EventOf<"cpni.verification.succeeded", SubmittedCpniVerification>;
  /**
   * Fires when the challenge locked out after too many attempts.
   *
   * `agent` asked for it; `submitted_by` is there only when another agent entered the wrong codes.
   */
  "cpni.verification.failed": EventOf<"cpni.verification.failed", SubmittedCpniVerification>;
  /**
   * Fires when an agent asked a supervisor for access without the code; carries the agent's
   * reason.
   */
  "cpni.escalation.requested": EventOf<"cpni.escalation.requested", CpniEscalation>;
  /**
   * Fires when a supervisor approved; the agent has access for a limited window; use it to tell
   * the subscriber.
   */
  "cpni.escalation.approved": EventOf<"cpni.escalation.approved", CpniEscalation>;
  /** Fires when a supervisor turned the request down. */
  "cpni.escalation.denied": EventOf<"cpni.escalation.denied", CpniEscalation>;
}
