import * as z from "zod/mini";
import { memberOf } from "@fieldmesh/core";
import { count, openEnum, record, type SchemaOf } from "@fieldmesh/core/schema";
import { id } from "./fields.ts";

// "unknown" where a hotspot has no place (observed).
const coordinate = z.union([z.number(), openEnum("unknown")]);

const common = {
  /** The contract has `uplink`; the others are observed. */
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
  description: z.nullish(z.string()),
  device_id: id,
  organization_id: z.nullish(id),
  router_uuid: z.nullish(z.string()),
  frame_up: z.nullish(z.int()),
  frame_down: z.nullish(z.int()),
  /** Epoch milliseconds as text: `new Date(Number(event.reported_at))`. */
  reported_at: z.string(),
};

const hotspot = {
  channel: z.nullish(z.int()),
  /** MHz. */
  frequency: z.nullish(z.number()),
  id: z.nullish(z.string()),
  /** Decimal degrees, or `"unknown"` (observed). */
  lat: z.nullish(coordinate),
  /** Decimal degrees, or `"unknown"` (observed). */
  long: z.nullish(coordinate),
  name: z.nullish(z.string()),
  /** dBm (observed). */
  rssi: z.nullish(z.number()),
  /** dB (observed). */
  snr: z.nullish(z.number()),
  /** Spreading factor and bandwidth, such as `SF9BW125`. */
  spreading: z.nullish(z.string()),
};
const hotspotFields = record(hotspot);

/** The hotspot that heard an uplink. Every field may be absent: `{}` and `{ id, name }` come too (observed). */
export interface EventHotspot extends z.output<typeof hotspotFields> {}

const uplinkData = record({
  dc: z.nullish(
    record({
      balance: z.nullish(count()),
      nonce: z.nullish(count()),
      used: z.nullish(count()),
    }),
  ),
  devaddr: z.nullish(z.string()),
  fcnt: z.int(),
  hold_time: z.nullish(z.int()),
  hotspot: z.nullish(hotspotFields as SchemaOf<EventHotspot, typeof hotspotFields>),
  mac: z.nullish(z.array(z.unknown())),
  /** Base64 (observed). */
  payload: z.string(),
  /** Bytes (observed). */
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
    id: z.nullish(id),
    name: z.nullish(z.string()),
    status: z.nullish(openEnum("success")),
  }),
  req: record({
    qos: z.nullish(z.int()),
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
  sub_category: z
    .nullish(
      openEnum(
        "uplink_unconfirmed",
        "uplink_integration_res",
        "downlink_confirmed",
        "downlink_unconfirmed",
        "undefined",
      ),
    )
    .check(
      // It aborts, because zod would choose a union member that fails a refinement alone.
      z.refine((value) => value == null || !DOCUMENTED.has(value), {
        abort: true,
        error: "is documented with other data",
      }),
    ),
  /** Not shown in the spec for these. */
  data: z.unknown(),
});

/** Any other event, with data that the spec does not show. */
export interface OtherDeviceEvent extends z.output<typeof otherFields> {}

/** An event of a device. Sub-categories are open: narrow with {@link isUplinkEvent} and {@link isIntegrationEvent}. */
export type DeviceEvent = UplinkEvent | IntegrationEvent | OtherDeviceEvent;
const eventUnion = z.union([uplinkFields, integrationFields, otherFields]);
export const DeviceEvent: SchemaOf<DeviceEvent, typeof eventUnion> = eventUnion;

/**
 * Tells whether an event is a confirmed uplink, so that `data` has its frame counter, hotspot and payload.
 *
 * @example
 * ```ts
 * const uplinks = (await client.devices.events({ device_id })).filter(isUplinkEvent);
 * ```
 */
export function isUplinkEvent(event: DeviceEvent): event is UplinkEvent {
  return memberOf(event, "sub_category") === "uplink_confirmed";
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
  return memberOf(event, "sub_category") === "uplink_integration_req";
}

const bodyHotspotFields = record({
  ...hotspot,
  hold_time: z.nullish(z.int()),
  /** Epoch milliseconds. */
  reported_at: z.nullish(z.int()),
  status: z.nullish(z.string()),
});

const uplinkBodyFields = record({
  app_eui: z.string(),
  dev_eui: z.string(),
  devaddr: z.nullish(z.string()),
  fcnt: z.int(),
  hotspots: z.array(bodyHotspotFields),
  id: z.nullish(id),
  metadata: z.nullish(
    record({
      adr_allowed: z.nullish(z.boolean()),
      cf_list_enabled: z.nullish(z.boolean()),
      multi_buy: z.nullish(z.int()),
      organization_id: z.nullish(id),
    }),
  ),
  name: z.nullish(z.string()),
  payload: z.string(),
  payload_size: z.int(),
  port: z.int(),
  /** Epoch milliseconds. */
  reported_at: z.int(),
  uuid: z.nullish(z.string()),
});

/** What the console hands to an integration for an uplink. */
export interface UplinkBody extends z.output<typeof uplinkBodyFields> {}

/**
 * Tells whether the `req.body` of an integration event is the documented uplink. Long bodies are replaced by a sentence (observed).
 *
 * @example
 * ```ts
 * const bodies = events.filter(isIntegrationEvent).map((event) => event.data.req.body).filter(isUplinkBody);
 * ```
 */
export function isUplinkBody(body: unknown): body is UplinkBody {
  try {
    return uplinkBodyFields.safeParse(body).success;
  } catch {
    // A getter or a proxy in it throws.
    return false;
  }
}
