// @generated from the schema files by `npm run generate -- events`. Do not edit.
import type { EarlierEventType } from "./event-types.ts";

/** What the types of the earlier catalog are called today. */
export const successors: Readonly<Record<EarlierEventType, string | undefined>> = {
  "carrier_connection.verify_failed": "likely carrier_connection.auth_failed",
  "event.delivery_failed": undefined,
  "port.validation_success": undefined,
  "port.validation_failed": undefined,
  "port.scheduled": undefined,
  "port_out.requested": "likely port.out_validation_requested",
  "port_out.completed": "likely port.out_completed",
  "sim.ordered": "likely sim.provisioned",
  "sim.reinstated": "likely sim.restored",
  "sim.swap_completed": "likely sim.swapped",
  "usage.threshold_crossed": "likely usage.data_threshold_crossed, usage.voice_threshold_crossed and usage.sms_threshold_crossed",
};
