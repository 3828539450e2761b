import * as z from "@fieldmesh/core/internal/zod";
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
import { carries, stating } from "../statements.ts";

/** The carrier's code for a stalled port. The spec names no value: these are in use (observed). */
export const PortReasonCode = () =>
  openEnum(
    "wrong_account_number",
    "wrong_pin",
    "number_not_portable",
    "name_mismatch",
    "pending_port",
  );

const stall = () => ({
  /** The reason in the carrier's words. They may name a person, so keep them out of logs. */
  status_reason: guess(z.nullish(sensitive("personal", z.string()))),
  /** The carrier's code for the reason: branch on this one. The spec names no value: the listed ones are in use (observed). */
  status_reason_code: guess(z.nullish(PortReasonCode())),
});
const deadline = () => ({
  /** When the request was submitted. */
  submitted_at: maybeString(),
  /**
   * The days since the request was submitted: about 21 in `port.resolution_expiring`. About 30 days after submission, a
   * port-in that is still stalled is canceled, and the line is switched off.
   */
  days_since_submitted: maybeNumber(),
});

/**
 * A port-in or port-out. The spec does not say whether the fields of a stalled one are in `data` or in `data.object`:
 * `fieldOf(event, "status_reason_code")` looks in both.
 */
export const Port = shared(() => resource({ ...stall(), ...deadline() }));

/** The data of a stalled port. */
export const StalledPortData = () => z.extend(eventData(guess(Port())), { ...stall() });

/** The data of an expiring port. */
export const ExpiringPortData = () =>
  z.extend(eventData(guess(Port())), { ...stall(), ...deadline() });

/** Port events, by type. A port-in moves a phone number to the service, and a port-out moves it to another carrier. */
export const PortEvents = {
  /** Fires when a port-in request record is created. */
  "port.created": () => eventData(Port()),
  /** Fires when the service accepts a port-in request. */
  "port.submitted": () => eventData(Port()),
  /** Fires when the carrier is processing a port-in. */
  "port.in_progress": () => eventData(Port()),
  /**
   * Fires when a port-in is stalled and needs input from the operator or the subscriber.
   *
   * `status_reason` is the carrier's text and `status_reason_code` is its code. Branch on the code.
   */
  "port.resolution_required": () =>
    stating(StalledPortData(), carries("status_reason", "status_reason_code")),
  /**
   * Fires when a stalled port-in approaches the carrier's deadline. It fires once for each submission, around day 21.
   *
   * At the deadline, about 30 days after submission, the port-in is canceled and the line is switched off. The event carries
   * `status_reason`, `status_reason_code`, `submitted_at` and `days_since_submitted`.
   */
  "port.resolution_expiring": () =>
    stating(
      ExpiringPortData(),
      carries("status_reason", "status_reason_code", "submitted_at", "days_since_submitted"),
    ),
  /** Fires when the transfer of the number is complete. */
  "port.completed": () => eventData(Port()),
  /** Fires when a port-in fails. */
  "port.failed": () => eventData(Port()),
  /** Fires when a port-in is canceled. */
  "port.cancelled": () => eventData(Port()),
  /** Fires when the gaining carrier requests the validation of a port-out. */
  "port.out_validation_requested": () => eventData(Port()),
  /** Fires when a port-out is final and the line has left the service. */
  "port.out_completed": () => eventData(Port()),
  /**
   * Fires when the losing carrier validates a port-in.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.validation_success": () => eventData(Port()),
  /**
   * Fires when the losing carrier rejects a port-in.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.validation_failed": () => eventData(Port()),
  /**
   * Fires when the carrier schedules the cutover.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.scheduled": () => eventData(Port()),
};

/** Port-out events, by type. */
export const PortOutEvents = {
  /**
   * Fires when the gaining carrier requests a port-out.
   *
   * @deprecated Of an earlier catalog; today likely `port.out_validation_requested`.
   */
  "port_out.requested": () => eventData(Port()),
  /** Fires when a port-out is final. @deprecated Of an earlier catalog; today likely `port.out_completed`. */
  "port_out.completed": () => eventData(Port()),
};
