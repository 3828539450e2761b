import * as z from "zod";
import { openEnum, record } from "@fieldmesh/core/schema";

const place = z.union([z.number(), openEnum("unknown")]);

const hotspotFields = record({
  id: z.string().nullish(),
  name: z.string().nullish(),
  channel: z.int().nullish(),
  /** MHz. */
  frequency: z.number().nullish(),
  hold_time: z.int().nullish(),
  /** Decimal degrees, or `"unknown"`. */
  lat: place.nullish(),
  /** Decimal degrees, or `"unknown"`. */
  long: place.nullish(),
  /** Epoch milliseconds. */
  reported_at: z.int().nullish(),
  /** dBm. */
  rssi: z.number().nullish(),
  /** dB. */
  snr: z.number().nullish(),
  /** Spreading factor and bandwidth, such as `SF9BW125`. */
  spreading: z.string().nullish(),
  status: z.string().nullish(),
});

/** A hotspot that heard an uplink. */
export interface UplinkHotspot extends z.output<typeof hotspotFields> {}

const metadataFields = record({
  adr_allowed: z.boolean().nullish(),
  cf_list_enabled: z.boolean().nullish(),
  labels: z.array(z.unknown()).nullish(),
  multi_buy: z.int().nullish(),
  organization_id: z.string().nullish(),
  preferred_hotspots: z.array(z.unknown()).nullish(),
  rx_delay: z.int().nullish(),
});

/** What both the schema of what arrives and that of what is submitted consist of. */
export const consoleFields = {
  dev_eui: z.string(),
  app_eui: z.string().nullish(),
  devaddr: z.string().nullish(),
  /** The frame counter. */
  fcnt: z.int(),
  hotspots: z.array(hotspotFields as z.ZodType<UplinkHotspot, z.input<typeof hotspotFields>>),
  id: z.string().nullish(),
  metadata: metadataFields.nullish(),
  name: z.string().nullish(),
  /** Base64. */
  payload: z.string().nullish(),
  /** Bytes. */
  payload_size: z.int().nullish(),
  port: z.int().nullish(),
  /** Epoch milliseconds. */
  reported_at: z.int().nullish(),
  uuid: z.string().nullish(),
  // Not in the published spec; running deployments send them.
  type: openEnum("uplink").nullish(),
  replay: z.boolean().nullish(),
  raw_packet: z.string().nullish(),
  downlink_url: z.string().nullish(),
  dc: z.unknown().optional(),
};

const uplinkFields = record({
  ...consoleFields,
  /** What a decoder of the console made of the payload; absent where a flow has none. */
  decoded: record({ payload: z.unknown().optional(), status: z.string().nullish() }).nullish(),
});

/** The standard uplink, as the console's HTTP integration delivers it. */
export interface ConsoleUplink extends z.output<typeof uplinkFields> {}
export const ConsoleUplink: z.ZodType<ConsoleUplink, z.input<typeof uplinkFields>> = uplinkFields;
