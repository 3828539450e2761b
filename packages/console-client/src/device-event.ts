import * as z from "zod";
import { openEnum, record } from "@fieldmesh/core/schema";
import { id } from "./fields.ts";

// Running deployments write the text "unknown" where a hotspot has no place.
const coordinate = z.union([z.number(), openEnum("unknown")]);

const common = {
  /** Running deployments also have uplink_dropped, downlink, join_request and others. */
  category: openEnum(
    "uplink",
    "uplink_dropped",
    "downlink",
    "downlink_dropped",
    "join_request",
    "join_accept",
    "misc",
  ),
  /** Text for people. */
  description: z.string().nullish(),
  device_id: id,
  organization_id: id.nullish(),
  router_uuid: z.string().nullish(),
  frame_up: z.int().nullish(),
  frame_down: z.int().nullish(),
  /** Epoch milliseconds as text: `new Date(Number(event.reported_at))`. */
  reported_at: z.string(),
};

const hotspotFields = record({
  channel: z.int().nullish(),
  /** MHz. */
  frequency: z.number().nullish(),
  id: z.string().nullish(),
  /** Decimal degrees, or `"unknown"`. */
  lat: coordinate.nullish(),
  /** Decimal degrees, or `"unknown"`. */
  long: coordinate.nullish(),
  name: z.string().nullish(),
  /** dBm. */
  rssi: z.number().nullish(),
  /** dB. */
  snr: z.number().nullish(),
  /** Spreading factor and bandwidth, such as `SF9BW125`. */
  spreading: z.string().nullish(),
});

/** The hotspot that heard an uplink. Every field may be absent: running deployments also send `{}` and `{ id, name }`. */
export interface EventHotspot extends z.output<typeof hotspotFields> {}

const uplinkData = record({
  dc: record({
    balance: z.int().nullish(),
    nonce: z.int().nullish(),
    used: z.int().nullish(),
  }).nullish(),
  devaddr: z.string().nullish(),
  fcnt: z.int(),
  hold_time: z.int().nullish(),
  hotspot: (hotspotFields as z.ZodType<EventHotspot, z.input<typeof hotspotFields>>).nullish(),
  mac: z.array(z.unknown()).nullish(),
  /** Base64. */
  payload: z.string(),
  /** Bytes. */
  payload_size: z.int(),
  port: z.int(),
});

const uplinkFields = record({
  ...common,
  sub_category: z.literal("uplink_confirmed"),
  data: uplinkData,
});

/** A confirmed uplink; tell it with {@link isUplinkEvent}. */
export interface UplinkEvent extends z.output<typeof uplinkFields> {}

const integrationData = record({
  integration: record({
    id: id.nullish(),
    name: z.string().nullish(),
    status: openEnum("success").nullish(),
  }),
  req: record({
    qos: z.int().nullish(),
    /** What was sent: the uplink as documented (see {@link isUplinkBody}), any other JSON, or text. */
    body: z.unknown(),
  }),
});

const integrationFields = record({
  ...common,
  sub_category: z.literal("uplink_integration_req"),
  data: integrationData,
});

/** An uplink that was handed to an integration; tell it with {@link isIntegrationEvent}. */
export interface IntegrationEvent extends z.output<typeof integrationFields> {}

const DOCUMENTED = new Set(["uplink_confirmed", "uplink_integration_req"]);

const otherFields = record({
  ...common,
  sub_category: openEnum(
    "uplink_unconfirmed",
    "uplink_integration_res",
    "downlink_confirmed",
    "downlink_unconfirmed",
    "undefined",
  )
    .nullish()
    // It aborts, because zod takes a union member that only a refinement refuses for the one that was meant.
    .refine((value) => value == null || !DOCUMENTED.has(value), {
      abort: true,
      error: "is documented with other data",
    }),
  /** Not shown in the spec for these. */
  data: z.unknown(),
});

/** Any other event, with data that the spec does not show. */
export interface OtherDeviceEvent extends z.output<typeof otherFields> {}

/** An event of a device. Sub-categories are open: narrow with {@link isUplinkEvent} and {@link isIntegrationEvent}. */
export type DeviceEvent = UplinkEvent | IntegrationEvent | OtherDeviceEvent;
const eventUnion = z.union([uplinkFields, integrationFields, otherFields]);
export const DeviceEvent: z.ZodType<DeviceEvent, z.input<typeof eventUnion>> = eventUnion;

/**
 * Tells whether an event is a confirmed uplink, so that `data` has its frame counter, hotspot and payload.
 *
 * @example
 * ```ts
 * const uplinks = (await client.devices.events({ device_id })).filter(isUplinkEvent);
 * ```
 */
export function isUplinkEvent(event: DeviceEvent): event is UplinkEvent {
  return event.sub_category === "uplink_confirmed";
}

/**
 * Tells whether an event is an uplink that was handed to an integration, so that `data` has the integration and the request.
 *
 * @example
 * ```ts
 * const failed = events.filter(isIntegrationEvent).filter((event) => event.data.integration.status !== "success");
 * ```
 */
export function isIntegrationEvent(event: DeviceEvent): event is IntegrationEvent {
  return event.sub_category === "uplink_integration_req";
}

const bodyHotspotFields = record({
  channel: z.int().nullish(),
  frequency: z.number().nullish(),
  hold_time: z.int().nullish(),
  id: z.string().nullish(),
  lat: coordinate.nullish(),
  long: coordinate.nullish(),
  name: z.string().nullish(),
  /** Epoch milliseconds. */
  reported_at: z.int().nullish(),
  rssi: z.number().nullish(),
  snr: z.number().nullish(),
  spreading: z.string().nullish(),
  status: z.string().nullish(),
});

const uplinkBodyFields = record({
  app_eui: z.string(),
  dev_eui: z.string(),
  devaddr: z.string().nullish(),
  fcnt: z.int(),
  hotspots: z.array(bodyHotspotFields),
  id: id.nullish(),
  metadata: record({
    adr_allowed: z.boolean().nullish(),
    cf_list_enabled: z.boolean().nullish(),
    multi_buy: z.int().nullish(),
    organization_id: id.nullish(),
  }).nullish(),
  name: z.string().nullish(),
  payload: z.string(),
  payload_size: z.int(),
  port: z.int(),
  /** Epoch milliseconds. */
  reported_at: z.int(),
  uuid: z.string().nullish(),
});

/** What the console hands to an integration for an uplink. */
export interface UplinkBody extends z.output<typeof uplinkBodyFields> {}

/**
 * Tells whether the `req.body` of an integration event is the documented uplink. Long bodies are replaced by a sentence.
 *
 * @example
 * ```ts
 * const bodies = events.filter(isIntegrationEvent).map((event) => event.data.req.body).filter(isUplinkBody);
 * ```
 */
export function isUplinkBody(body: unknown): body is UplinkBody {
  return uplinkBodyFields.safeParse(body).success;
}
