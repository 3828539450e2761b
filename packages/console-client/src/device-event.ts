import * as z from "@fieldmesh/core/internal/zod";
import { memberOf } from "@fieldmesh/core/internal";
import { count, openEnum, record, type SchemaOf } from "@fieldmesh/core/internal/schema";
import { id } from "./fields.ts";

// "unknown" if a hotspot has no location (observed).
const coordinate = z.union([z.number(), openEnum("unknown")]);

const common = {
  /** The kind of event. The spec shows `uplink`; the other values are in use too (observed). */
  category: openEnum(
    "uplink",
    "uplink_dropped",
    "downlink",
    "downlink_dropped",
    "join_request",
    "join_accept",
    "misc",
  ),
  /** A human-readable description. */
  description: z.nullish(z.string()),
  /** The id of the device: a UUID. */
  device_id: id,
  /** The id of the organization: a UUID. */
  organization_id: z.nullish(id),
  /** The id of a router: a UUID. The spec says nothing more. */
  router_uuid: z.nullish(z.string()),
  /** The uplink frame counter; may be `null`. */
  frame_up: z.nullish(z.int()),
  /** The downlink frame counter; may be `null`. */
  frame_down: z.nullish(z.int()),
  /** Epoch milliseconds as a string: `new Date(Number(event.reported_at))`. */
  reported_at: z.string(),
};

const hotspot = {
  /** The channel number. The spec says nothing more. */
  channel: z.nullish(z.int()),
  /** MHz. */
  frequency: z.nullish(z.number()),
  /** The id of the hotspot. */
  id: z.nullish(z.string()),
  /** Decimal degrees, or `"unknown"` (observed). */
  lat: z.nullish(coordinate),
  /** Decimal degrees, or `"unknown"` (observed). */
  long: z.nullish(coordinate),
  /** The name of the hotspot. */
  name: z.nullish(z.string()),
  /** dBm (observed). */
  rssi: z.nullish(z.number()),
  /** dB (observed). */
  snr: z.nullish(z.number()),
  /** Spreading factor and bandwidth, such as `SF9BW125`. */
  spreading: z.nullish(z.string()),
};
const hotspotFields = record(hotspot);

/** The hotspot that received an uplink. Every field may be absent: `{}` and `{ id, name }` occur too (observed). */
export interface EventHotspot extends z.output<typeof hotspotFields> {}

const uplinkData = record({
  /** Data credits: what the uplink cost and what is left. */
  dc: z.nullish(
    record({
      /** Data credits that are left. */
      balance: z.nullish(count()),
      /** The nonce of the data credit balance. The spec says nothing more. */
      nonce: z.nullish(count()),
      /** Data credits that the uplink cost. */
      used: z.nullish(count()),
    }),
  ),
  /** The LoRaWAN device address. */
  devaddr: z.nullish(z.string()),
  /** The LoRaWAN frame counter of the uplink. */
  fcnt: z.int(),
  /** How long the packet was held. The spec states no unit. */
  hold_time: z.nullish(z.int()),
  /** The hotspot that heard the uplink. */
  hotspot: z.nullish(hotspotFields as SchemaOf<EventHotspot, typeof hotspotFields>),
  /** A list. The spec does not show its elements. */
  mac: z.nullish(z.array(z.unknown())),
  /** The payload, in base64 (observed). */
  payload: z.string(),
  /** The size of the payload, in bytes (observed). */
  payload_size: z.int(),
  /** The LoRaWAN port (FPort). */
  port: z.int(),
});

const uplinkFields = record({
  ...common,
  /** `uplink_confirmed` identifies this kind of event. */
  sub_category: z.literal("uplink_confirmed"),
  /** The uplink as the network received it. */
  data: uplinkData,
});

/** A confirmed uplink. Check for it with {@link isUplinkEvent}. */
export interface UplinkEvent extends z.output<typeof uplinkFields> {}

const integrationData = record({
  /** The integration that received the uplink. */
  integration: record({
    /** The id of the integration: a UUID. */
    id: z.nullish(id),
    /** The name of the integration. */
    name: z.nullish(z.string()),
    /** The outcome. The spec shows `success` only. */
    status: z.nullish(openEnum("success")),
  }),
  /** The request that was sent. */
  req: record({
    /** The quality of service of the request. The spec says nothing more. */
    qos: z.nullish(z.int()),
    /** What was sent: the uplink as documented (see {@link isUplinkBody}), any other JSON, or a string. */
    body: z.unknown(),
  }),
});

const integrationFields = record({
  ...common,
  /** `uplink_integration_req` identifies this kind of event. */
  sub_category: z.literal("uplink_integration_req"),
  /** The integration and the request. */
  data: integrationData,
});

/** An uplink that was sent to an integration. Check for it with {@link isIntegrationEvent}. */
export interface IntegrationEvent extends z.output<typeof integrationFields> {}

const DOCUMENTED = new Set(["uplink_confirmed", "uplink_integration_req"]);

const otherFields = record({
  ...common,
  /** The kind of event. New ones may appear. Joins have the string `undefined` (observed). */
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
      // Aborts, because zod would choose a union member that only fails a refinement.
      z.refine((value) => value == null || !DOCUMENTED.has(value), {
        abort: true,
        error: "is documented with other data",
      }),
    ),
  /** The spec does not show the data of these events. */
  data: z.unknown(),
});

/** Any other event, with data that the spec does not describe. */
export interface OtherDeviceEvent extends z.output<typeof otherFields> {}

/** An event of a device. More sub-categories may occur: narrow with {@link isUplinkEvent} and {@link isIntegrationEvent}. */
export type DeviceEvent = UplinkEvent | IntegrationEvent | OtherDeviceEvent;
const eventUnion = z.union([uplinkFields, integrationFields, otherFields]);
export const DeviceEvent: SchemaOf<DeviceEvent, typeof eventUnion> = eventUnion;

/**
 * Tells whether an event is a confirmed uplink. Its `data` then has the frame counter, the hotspot and the payload.
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
 * Tells whether an event is an uplink that was sent to an integration. Its `data` then has the integration and the request.
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
  /** How long the packet was held. The spec states no unit. */
  hold_time: z.nullish(z.int()),
  /** Epoch milliseconds. */
  reported_at: z.nullish(z.int()),
  /** The outcome for this hotspot. The spec shows no value. */
  status: z.nullish(z.string()),
});

const uplinkBodyFields = record({
  /** The application EUI of the device. */
  app_eui: z.string(),
  /** The EUI of the device. */
  dev_eui: z.string(),
  /** The LoRaWAN device address. */
  devaddr: z.nullish(z.string()),
  /** The LoRaWAN frame counter of the uplink. */
  fcnt: z.int(),
  /** Each hotspot that heard the uplink. */
  hotspots: z.array(bodyHotspotFields),
  /** The id of the device: a UUID. */
  id: z.nullish(id),
  /** Settings of the device as the console knows them. */
  metadata: z.nullish(
    record({
      /** Whether LoRaWAN adaptive data rate (ADR) is allowed. The spec says nothing more. */
      adr_allowed: z.nullish(z.boolean()),
      /** Whether the LoRaWAN channel list (CFList) is enabled. The spec says nothing more. */
      cf_list_enabled: z.nullish(z.boolean()),
      /** The maximum number of copies of a packet that are bought (observed). */
      multi_buy: z.nullish(z.int()),
      /** The id of the organization: a UUID. */
      organization_id: z.nullish(id),
    }),
  ),
  /** The name of the device. */
  name: z.nullish(z.string()),
  /** The payload, in base64 (observed). */
  payload: z.string(),
  /** The size of the payload, in bytes (observed). */
  payload_size: z.int(),
  /** The LoRaWAN port (FPort). */
  port: z.int(),
  /** Epoch milliseconds. */
  reported_at: z.int(),
  /** The id of the device again: a UUID. */
  uuid: z.nullish(z.string()),
});

/** The body that the console sends to an integration for an uplink. */
export interface UplinkBody extends z.output<typeof uplinkBodyFields> {}

/**
 * Tells whether the `req.body` of an integration event is the documented uplink. The console replaces long bodies with a
 * sentence (observed).
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
