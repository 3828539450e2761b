import * as z from "zod/mini";
import { record } from "@fieldmesh/core/schema";
import { positionFields } from "./fields.ts";

const gatewayFields = record({
  gateway_id: z.string(),
  gateway_name: z.string(),
  /** Decimal degrees as text with a decimal point. */
  gateway_lat: z.string().check(z.regex(/^-?\d+\.\d+$/)),
  /** Decimal degrees as text with a decimal point. */
  gateway_long: z.string().check(z.regex(/^-?\d+\.\d+$/)),
});

const rxInfoFields = record({
  /** dBm. */
  rssi: z.number(),
  /** dB. */
  snr: z.number(),
  /** ISO 8601. */
  time: z.string(),
  metadata: gatewayFields,
});

/** The form of a network server (ChirpStack v4), which the map chooses by the `object` at the top (observed). */
export const networkServerFields = record({
  deviceInfo: record({ devEui: z.string() }),
  fCnt: z.int(),
  /** ISO 8601. */
  time: z.string(),
  txInfo: record({
    /** Hz. */
    frequency: z.number(),
    modulation: record({
      lora: record({ spreadingFactor: z.int(), bandwidth: z.int() }),
    }),
  }),
  rxInfo: z.array(rxInfoFields).check(z.minLength(1)),
  object: positionFields,
});

/** A submission in the form of a network server. */
export interface NetworkServerSubmission extends z.output<typeof networkServerFields> {}
