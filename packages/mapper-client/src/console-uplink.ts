import * as z from "@fieldmesh/core/internal/zod";
import { guess, openEnum, record, type SchemaOf, sensitive } from "@fieldmesh/core/internal/schema";

/** The published spec says a number; `"unknown"` was observed. */
const place = guess(z.union([z.number(), openEnum("unknown")]));

const hotspotFields = record({
  /** The id of the hotspot. */
  id: z.nullish(z.string()),
  /** The name of the hotspot. */
  name: z.nullish(z.string()),
  /** The channel number. The published spec says nothing more. */
  channel: z.nullish(z.int()),
  /** MHz. */
  frequency: z.nullish(z.number()),
  /** An integer. The published spec says nothing more. */
  hold_time: z.nullish(z.int()),
  /** Decimal degrees, or `"unknown"` (observed). */
  lat: z.nullish(place),
  /** Decimal degrees, or `"unknown"` (observed). */
  long: z.nullish(place),
  /** Epoch milliseconds. */
  reported_at: z.nullish(z.int()),
  /** dBm (observed). */
  rssi: z.nullish(z.number()),
  /** dB (observed). */
  snr: z.nullish(z.number()),
  /** A code of the spreading factor and the bandwidth. */
  spreading: z.nullish(z.string()),
  /** The published spec does not show its values. */
  status: z.nullish(z.string()),
});

/** A hotspot that received an uplink. */
export interface UplinkHotspot extends z.output<typeof hotspotFields> {}

const metadataFields = {
  /** Whether LoRaWAN adaptive data rate (ADR) is allowed. The published spec says nothing more. */
  adr_allowed: z.nullish(z.boolean()),
  /** Whether the LoRaWAN channel list (CFList) is enabled. The published spec says nothing more. */
  cf_list_enabled: z.nullish(z.boolean()),
  /** The maximum number of copies of a packet that are bought (observed). */
  multi_buy: z.nullish(z.int()),
  /** The id of the organization of the device: a UUID. */
  organization_id: z.nullish(z.string()),
};

/** What the published spec lists. Nothing else of an uplink is submitted to the map. */
export const statedFields = {
  /** The LoRaWAN device EUI: hexadecimal digits. */
  dev_eui: z.string(),
  /** The LoRaWAN application EUI (JoinEUI): hexadecimal digits. */
  app_eui: z.nullish(z.string()),
  /** The LoRaWAN device address. */
  devaddr: z.nullish(z.string()),
  /** The frame counter. */
  fcnt: z.int(),
  /** The hotspots that heard the uplink: at least one, each with `reported_at` (observed). */
  hotspots: z.array(hotspotFields as SchemaOf<UplinkHotspot, typeof hotspotFields>),
  /** The id of the device: a UUID. */
  id: z.nullish(z.string()),
  /** The metadata of the uplink. */
  metadata: z.nullish(record(metadataFields)),
  /** The name of the device. */
  name: z.nullish(z.string()),
  /** The payload. The spec states no encoding. */
  payload: z.nullish(z.string()),
  /** The size of the payload. The spec states no unit. */
  payload_size: z.nullish(z.int()),
  /** The LoRaWAN port. */
  port: z.nullish(z.int()),
  /** Epoch milliseconds. */
  reported_at: z.nullish(z.int()),
  /** The id of the device again: a UUID. */
  uuid: z.nullish(z.string()),
};

const uplinkFields = record({
  ...statedFields,
  /** The metadata of the uplink. */
  metadata: z.nullish(
    record({
      ...metadataFields,
      /** The labels of the device (observed). */
      labels: guess(z.nullish(z.array(z.unknown()))),
      /** Hotspots that the device prefers (observed). */
      preferred_hotspots: guess(z.nullish(z.array(z.unknown()))),
      /** The receive delay of the device (observed). */
      rx_delay: guess(z.nullish(z.int())),
    }),
  ),
  /** `uplink` (observed). */
  type: guess(z.nullish(openEnum("uplink"))),
  /** Whether the uplink is a repetition of an earlier one (observed). */
  replay: guess(z.nullish(z.boolean())),
  /** The packet as the hotspot received it (observed). */
  raw_packet: guess(z.nullish(z.string())),
  /** The URL that you call to send a downlink to the device (observed). It is a secret and is never logged. */
  downlink_url: guess(z.nullish(sensitive("secret", z.string()))),
  /** The data credits of the uplink (observed). */
  dc: z.optional(z.unknown()),
  /** What a decoder of the console made of the payload; absent if the flow has none. */
  decoded: guess(
    z.nullish(
      record({
        /** What the decoder returned. */
        payload: z.optional(z.unknown()),
        /** `success` or `error` (observed). */
        status: z.nullish(z.string()),
        /** Why the decoder returned nothing, such as `unknown_decoder` if the console could not run it (observed). */
        error: guess(z.nullish(z.string())),
      }),
    ),
  ),
});

/** The standard uplink, as the HTTP integration of the console delivers it. */
export interface ConsoleUplink extends z.output<typeof uplinkFields> {}
/** The zod schema of the standard uplink. */
export const ConsoleUplink: SchemaOf<ConsoleUplink, typeof uplinkFields> = uplinkFields;
