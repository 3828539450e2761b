import type { OpenEnum } from "@fieldmesh/core";
import type { EventOf, Resource } from "./envelope.ts";

/** The values are not in the published spec; running deployments use them. */
export type PortReasonCode = OpenEnum<
  "wrong_account_number" | "wrong_pin" | "number_not_portable" | "name_mismatch" | "pending_port"
>;

export interface Port extends Resource {
  status_reason?: string | null | undefined;
  status_reason_code?: PortReasonCode | null | undefined;
  submitted_at?: string | null | undefined;
  days_since_submitted?: number | null | undefined;
}

export interface StalledPort extends Port {
  /** The carrier's text. */
  status_reason: string;
  /** The carrier's code: branch on this one. */
  status_reason_code: PortReasonCode;
}

export interface ExpiringPort extends StalledPort {
  submitted_at: string;
  /** About 21; the carrier cancels the request and switches the line off at about 30. */
  days_since_submitted: number;
}

/** Port events, by type. */
export interface PortEvents {
  /** Fires when a port-in request record is created. */
  "port.created": EventOf<"port.created", Port>;
  /** Fires when the request is accepted by the service. */
  "port.submitted": EventOf<"port.submitted", Port>;
  /** Fires when the carrier has the port-in in flight. */
  "port.in_progress": EventOf<"port.in_progress", Port>;
  /**
   * Fires when a port-in is stalled and needs operator or subscriber input; `status_reason` carries the carrier
   * text, `status_reason_code` its code (branch on the code).
   */
  "port.resolution_required": EventOf<"port.resolution_required", StalledPort>;
  /**
   * Fires when a stalled port-in nears the carrier deadline (about 30 days from submission, after
   * which it is cancelled and the line switched off); fires once per submission around day 21;
   * carries `status_reason`, `status_reason_code`, `submitted_at`, `days_since_submitted`.
   */
  "port.resolution_expiring": EventOf<"port.resolution_expiring", ExpiringPort>;
  /** Fires when the number transfer is completed. */
  "port.completed": EventOf<"port.completed", Port>;
  /** Fires when the port-in failed. */
  "port.failed": EventOf<"port.failed", Port>;
  /** Fires when the port-in was cancelled. */
  "port.cancelled": EventOf<"port.cancelled", Port>;
  /** Fires when the gaining carrier requested port-out validation. */
  "port.out_validation_requested": EventOf<"port.out_validation_requested", Port>;
  /** Fires when a port-out finalized and the line left the service. */
  "port.out_completed": EventOf<"port.out_completed", Port>;
  /**
   * Fires when the losing carrier validated.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.validation_success": EventOf<"port.validation_success", Port>;
  /**
   * Fires when the losing carrier rejected.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.validation_failed": EventOf<"port.validation_failed", Port>;
  /**
   * Fires when the carrier scheduled the cut-over.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.scheduled": EventOf<"port.scheduled", Port>;
}

/** Port-out events, by type. */
export interface PortOutEvents {
  /**
   * Fires when the gaining carrier requested port-out.
   *
   * @deprecated Of an earlier catalog; today `port.out_validation_requested`.
   */
  "port_out.requested": EventOf<"port_out.requested", Port>;
  /**
   * Fires when a port-out finalized.
   *
   * @deprecated Of an earlier catalog; today `port.out_completed`.
   */
  "port_out.completed": EventOf<"port_out.completed", Port>;
}
