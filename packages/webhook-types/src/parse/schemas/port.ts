import * as z from "zod/mini";
import type { PortEvents, PortOutEvents } from "../../catalog/port.ts";
import { once, count, data, openEnum, resource, text, type Rows } from "./fields.ts";

const reasonCode = () =>
  openEnum(
    "wrong_account_number",
    "wrong_pin",
    "number_not_portable",
    "name_mismatch",
    "pending_port",
  );

const portFields = () => ({
  status_reason: text(),
  status_reason_code: z.nullish(reasonCode()),
  submitted_at: text(),
  days_since_submitted: count(),
});
const stalledFields = () => ({
  ...portFields(),
  status_reason: z.string(),
  status_reason_code: reasonCode(),
});
const port = once(() => resource(portFields()));
const stalledPort = () => resource(stalledFields());
const expiringPort = () =>
  resource({ ...stalledFields(), submitted_at: z.string(), days_since_submitted: z.number() });

export const portRows = {
  "port.created": () => data(port()),
  "port.submitted": () => data(port()),
  "port.in_progress": () => data(port()),
  "port.resolution_required": () => data(stalledPort()),
  "port.resolution_expiring": () => data(expiringPort()),
  "port.completed": () => data(port()),
  "port.failed": () => data(port()),
  "port.cancelled": () => data(port()),
  "port.out_validation_requested": () => data(port()),
  "port.out_completed": () => data(port()),
  "port.validation_success": () => data(port()),
  "port.validation_failed": () => data(port()),
  "port.scheduled": () => data(port()),
} satisfies Rows<PortEvents>;

export const portOutRows = {
  "port_out.requested": () => data(port()),
  "port_out.completed": () => data(port()),
} satisfies Rows<PortOutEvents>;
