import * as z from "zod/mini";
import { guess, openEnum, record, type SchemaOf, sensitive } from "@fieldmesh/core/schema";

/** A number by the published spec; `"unknown"` was observed. */
const place = guess(z.union([z.number(), openEnum("unknown")]));

const hotspotFields = record({
  id: z.nullish(z.string()),
  name: z.nullish(z.string()),
  channel: z.nullish(z.int()),
  /** MHz. */
  frequency: z.nullish(z.number()),
  hold_time: z.nullish(z.int()),
  /** Decimal degrees, or `"unknown"` (observed). */
  lat: z.nullish(place),
  /** Decimal degrees, or `"unknown"` (observed). */
  long: z.nullish(place),
  /** Epoch milliseconds. */
  reported_at: z.nullish(z.int()),
  /** dBm. */
  rssi: z.nullish(z.number()),
  /** dB. */
  snr: z.nullish(z.number()),
  /** Spreading factor and bandwidth, such as `SF9BW125`. */
  spreading: z.nullish(z.string()),
  status: z.nullish(z.string()),
});

/** A hotspot that heard an uplink. */
export interface UplinkHotspot extends z.output<typeof hotspotFields> {}

const metadataFields = record({
  adr_allowed: z.nullish(z.boolean()),
  cf_list_enabled: z.nullish(z.boolean()),
  labels: guess(z.nullish(z.array(z.unknown()))),
  multi_buy: z.nullish(z.int()),
  organization_id: z.nullish(z.string()),
  preferred_hotspots: guess(z.nullish(z.array(z.unknown()))),
  rx_delay: guess(z.nullish(z.int())),
});

/** What both the schema of what arrives and that of what is submitted consist of. */
export const consoleFields = {
  dev_eui: z.string(),
  app_eui: z.nullish(z.string()),
  devaddr: z.nullish(z.string()),
  /** The frame counter. */
  fcnt: z.int(),
  hotspots: z.array(hotspotFields as SchemaOf<UplinkHotspot, typeof hotspotFields>),
  id: z.nullish(z.string()),
  metadata: z.nullish(metadataFields),
  name: z.nullish(z.string()),
  /** Base64 (observed). */
  payload: z.nullish(z.string()),
  /** Bytes. */
  payload_size: z.nullish(z.int()),
  port: z.nullish(z.int()),
  /** Epoch milliseconds. */
  reported_at: z.nullish(z.int()),
  uuid: z.nullish(z.string()),
  // Not in the published spec: observed.
  type: guess(z.nullish(openEnum("uplink"))),
  replay: guess(z.nullish(z.boolean())),
  raw_packet: guess(z.nullish(z.string())),
  downlink_url: guess(z.nullish(sensitive("secret", z.string()))),
  dc: z.optional(z.unknown()),
};

const uplinkFields = record({
  ...consoleFields,
  /** What a decoder of the console made of the payload; absent where a flow has none. */
  decoded: guess(
    z.nullish(record({ payload: z.optional(z.unknown()), status: z.nullish(z.string()) })),
  ),
});

/** The standard uplink, as the console's HTTP integration delivers it. */
export interface ConsoleUplink extends z.output<typeof uplinkFields> {}
export const ConsoleUplink: SchemaOf<ConsoleUplink, typeof uplinkFields> = uplinkFields;
