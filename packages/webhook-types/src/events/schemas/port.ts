import * as z from "zod/mini";
import {
  eventData,
  guess,
  maybeNumber,
  maybeString,
  openEnum,
  resource,
  sensitive,
  shared,
} from "../fields.ts";

/** The values in use (observed). */
export const PortReasonCode = () =>
  openEnum(
    "wrong_account_number",
    "wrong_pin",
    "number_not_portable",
    "name_mismatch",
    "pending_port",
  );

const stall = () => ({
  /** The carrier's text. It may name a person, so keep it out of logs. */
  status_reason: guess(z.nullish(sensitive("personal", z.string()))),
  /** The carrier's code: branch on this one. */
  status_reason_code: guess(z.nullish(PortReasonCode())),
});
const deadline = () => ({
  /** When the request was submitted. */
  submitted_at: maybeString(),
  /** About 21. About 30 days after submission, the port-in is canceled and the line is switched off. */
  days_since_submitted: maybeNumber(),
});

/**
 * A port-in or port-out. The spec does not say whether the fields of a stalled one are in the object or next to it:
 * `fieldOf(event, "status_reason_code")` looks in both places.
 */
export const Port = shared(() => resource({ ...stall(), ...deadline() }));

/** The data of a stalled port. */
export const StalledPortData = () => z.extend(eventData(guess(Port())), { ...stall() });

/** The data of an expiring port. */
export const ExpiringPortData = () =>
  z.extend(eventData(guess(Port())), { ...stall(), ...deadline() });

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
  "port.resolution_required": () => StalledPortData(),
  /**
   * Fires when a stalled port-in nears the carrier deadline (about 30 days from submission, after
   * which it is cancelled and the line switched off); fires once per submission around day 21;
   * carries `status_reason`, `status_reason_code`, `submitted_at`, `days_since_submitted`.
   */
  "port.resolution_expiring": () => ExpiringPortData(),
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
