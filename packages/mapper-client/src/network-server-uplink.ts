import * as z from "@fieldmesh/core/internal/zod";
import { record } from "@fieldmesh/core/internal/schema";
import { positionFields } from "./fields.ts";

const gatewayFields = record({
  /** The id of the gateway (observed). */
  gateway_id: z.string(),
  /** The name of the gateway (observed). */
  gateway_name: z.string(),
  /** Decimal degrees as a string with a decimal point (observed). */
  gateway_lat: z.string().check(z.regex(/^-?\d+\.\d+$/)),
  /** Decimal degrees as a string with a decimal point (observed). */
  gateway_long: z.string().check(z.regex(/^-?\d+\.\d+$/)),
});

const rxInfoFields = record({
  /** The id of the gateway, which `metadata` repeats (observed). */
  gatewayId: z.nullish(z.string()),
  /** dBm (observed). */
  rssi: z.number(),
  /** dB (observed). */
  snr: z.number(),
  /** ISO 8601 (observed). */
  time: z.string(),
  /** The name of `time` in newer versions (observed). */
  gwTime: z.nullish(z.string()),
  /** The place of the gateway, which `metadata` repeats as strings (observed). */
  location: z.nullish(
    record({
      /** Decimal degrees (observed). */
      latitude: z.nullish(z.number()),
      /** Decimal degrees (observed). */
      longitude: z.nullish(z.number()),
      /** Meters (observed). */
      altitude: z.nullish(z.number()),
    }),
  ),
  /** Data about the gateway (observed). */
  metadata: gatewayFields,
});

/** The form of a network server (ChirpStack v4), which the map recognizes by the `object` at the top (observed). */
export const networkServerFields = record({
  /** The device (observed). */
  deviceInfo: record({
    /** The LoRaWAN device EUI: hexadecimal digits (observed). */
    devEui: z.string(),
    /** The name of the device (observed). */
    deviceName: z.nullish(z.string()),
  }),
  /** The LoRaWAN device address (observed). */
  devAddr: z.nullish(z.string()),
  /** The frame counter (observed). */
  fCnt: z.int(),
  /** The LoRaWAN port (observed). */
  fPort: z.nullish(z.int()),
  /** ISO 8601 (observed). */
  time: z.string(),
  /** How the device transmitted (observed). */
  txInfo: record({
    /** Hz (observed). */
    frequency: z.number(),
    /** The modulation of the signal (observed). */
    modulation: record({
      /** The parameters of LoRa, the only modulation that the map reads (observed). */
      lora: record({
        /** The spreading factor, such as 9 (observed). */
        spreadingFactor: z.int(),
        /** The bandwidth in Hz, such as 125000 (observed). */
        bandwidth: z.int(),
      }),
    }),
  }),
  /** The gateways that heard the uplink: at least one (observed). */
  rxInfo: z.array(rxInfoFields).check(z.minLength(1)),
  /** What the decoder returned: the position of the device. */
  object: positionFields,
});

/** A submission in the form of a network server. */
export interface NetworkServerSubmission extends z.output<typeof networkServerFields> {}
