import * as z from "zod/mini";
import { eventData, maybeNumber, maybeString, openEnum, resource, shared } from "../fields.ts";

/** The values are not in the published spec; running deployments use them. */
export const PortReasonCode = () =>
  openEnum(
    "wrong_account_number",
    "wrong_pin",
    "number_not_portable",
    "name_mismatch",
    "pending_port",
  );

export const Port = shared(() =>
  resource({
    status_reason: maybeString(),
    status_reason_code: z.nullish(PortReasonCode()),
    submitted_at: maybeString(),
    days_since_submitted: maybeNumber(),
  }),
);

export const StalledPort = () =>
  z.extend(Port(), {
    /** The carrier's text. */
    status_reason: z.string(),
    /** The carrier's code: branch on this one. */
    status_reason_code: PortReasonCode(),
  });

export const ExpiringPort = () =>
  z.extend(StalledPort(), {
    submitted_at: z.string(),
    /** About 21; the carrier cancels the request and switches the line off at about 30. */
    days_since_submitted: z.number(),
  });

/** Port events, by type. */
export const PortEvents = {
  /** Fires when a port-in request record is created. */
  "port.created": () => eventData(Port()),
  /** Fires when the request is accepted by the service. */
  "port.submitted": () => eventData(Port()),
  /** Fires when the carrier has the port-in in flight. */
  "port.in_progress": () => eventData(Port()),
  /**
   * Fires when a port-in is stalled and needs operator or subscriber input; `status_reason` carries the carrier
   * text, `status_reason_code` its code (branch on the code).
   */
  "port.resolution_required": () => eventData(StalledPort()),
  /**
   * Fires when a stalled port-in nears the carrier deadline (about 30 days from submission, after
   * which it is cancelled and the line switched off); fires once per submission around day 21;
   * carries `status_reason`, `status_reason_code`, `submitted_at`, `days_since_submitted`.
   */
  "port.resolution_expiring": () => eventData(ExpiringPort()),
  /** Fires when the number transfer is completed. */
  "port.completed": () => eventData(Port()),
  /** Fires when the port-in failed. */
  "port.failed": () => eventData(Port()),
  /** Fires when the port-in was cancelled. */
  "port.cancelled": () => eventData(Port()),
  /** Fires when the gaining carrier requested port-out validation. */
  "port.out_validation_requested": () => eventData(Port()),
  /** Fires when a port-out finalized and the line left the service. */
  "port.out_completed": () => eventData(Port()),
  /**
   * Fires when the losing carrier validated.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.validation_success": () => eventData(Port()),
  /**
   * Fires when the losing carrier rejected.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.validation_failed": () => eventData(Port()),
  /**
   * Fires when the carrier scheduled the cut-over.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.scheduled": () => eventData(Port()),
};

/** Port-out events, by type. */
export const PortOutEvents = {
  /**
   * Fires when the gaining carrier requested port-out.
   *
   * @deprecated Of an earlier catalog; today `port.out_validation_requested`.
   */
  "port_out.requested": () => eventData(Port()),
  /**
   * Fires when a port-out finalized.
   *
   * @deprecated Of an earlier catalog; today `port.out_completed`.
   */
  "port_out.completed": () => eventData(Port()),
};
