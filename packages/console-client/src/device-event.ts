import * as z from "@fieldmesh/core/internal/zod";
import { memberOf } from "@fieldmesh/core/internal";
import {
  count,
  guess,
  openEnum,
  partial,
  record,
  seen,
  shown,
  type SchemaOf,
} from "@fieldmesh/core/internal/schema";
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
  description: shown(z.string()),
  /** The id of the device: a UUID. */
  device_id: id,
  /** The id of the organization: a UUID. */
  organization_id: shown(id),
  /** The id of a router: a UUID. It is not unique to an event (observed). */
  router_uuid: shown(id),
  /** May be `null`. The spec does not say what it counts. */
  frame_up: shown(z.nullable(z.int())),
  /** May be `null`. The spec does not say what it counts. */
  frame_down: shown(z.nullable(z.int())),
  /** Epoch milliseconds as a string: `new Date(Number(event.reported_at))`. */
  reported_at: z.string(),
};

// A hotspot may be `{}` or `{ id, name }` (observed), so any of these may be absent.
export const hotspot = {
  /** The number of a channel. May be absent (observed). */
  channel: seen(shown(z.optional(z.int()))),
  /** MHz. May be absent (observed). */
  frequency: seen(shown(z.optional(z.number()))),
  /** The id of the hotspot. May be absent (observed). */
  id: seen(shown(z.optional(z.string()))),
  /** Decimal degrees, `"unknown"` or absent (observed). */
  lat: seen(shown(z.optional(coordinate))),
  /** Decimal degrees, `"unknown"` or absent (observed). */
  long: seen(shown(z.optional(coordinate))),
  /** The name of the hotspot. May be absent (observed). */
  name: seen(shown(z.optional(z.string()))),
  /** dBm (observed). May be absent (observed). */
  rssi: seen(shown(z.optional(z.number()))),
  /** dB (observed). May be absent (observed). */
  snr: seen(shown(z.optional(z.number()))),
  /** A code for spreading factor and bandwidth. The spec shows no value. May be absent (observed). */
  spreading: seen(shown(z.optional(z.string()))),
};
const hotspotFields = record(hotspot);

/** The hotspot that received an uplink. Every field may be absent: `{}` and `{ id, name }` occur too (observed). */
export interface EventHotspot extends z.output<typeof hotspotFields> {}

const uplinkData = record({
  /** A balance of data credits. The spec does not say which of them the uplink has cost. */
  dc: shown(
    record({
      /** Data credits. */
      balance: shown(count()),
      /** The spec does not say what it counts. */
      nonce: shown(count()),
      /** The spec does not say what it counts. */
      used: shown(count()),
    }),
  ),
  /** The address of the device. The spec says nothing more. */
  devaddr: shown(z.string()),
  /** A counter. The spec says nothing more. */
  fcnt: z.int(),
  /** The spec states neither its meaning nor its unit. */
  hold_time: shown(z.int()),
  /** The hotspot that heard the uplink. */
  hotspot: shown(hotspotFields as SchemaOf<EventHotspot, typeof hotspotFields>),
  /** A list. The spec does not show its elements. */
  mac: shown(z.array(z.unknown())),
  /** The payload. The spec states no encoding. */
  payload: z.string(),
  /** The size of the payload. The spec states no unit. */
  payload_size: z.int(),
  /** A port. The spec says nothing more. */
  port: z.int(),
});

const confirmedFields = record({
  ...common,
  /** `uplink_confirmed` identifies this kind of event. */
  sub_category: z.literal("uplink_confirmed"),
  /** The data of the uplink. */
  data: uplinkData,
});

/** A confirmed uplink. Check for it with {@link isConfirmedUplinkEvent}. */
export interface ConfirmedUplinkEvent extends z.output<typeof confirmedFields> {}

const unconfirmedFields = record({
  ...common,
  /** `uplink_unconfirmed` identifies this kind of event (observed). */
  sub_category: z.literal("uplink_unconfirmed"),
  /** The data of the uplink. The spec does not show it: the fields are those of a confirmed uplink (observed). */
  data: guess(uplinkData),
});

/** An unconfirmed uplink, as nearly all are (observed). Check for it with {@link isUplinkEvent}. */
export interface UnconfirmedUplinkEvent extends z.output<typeof unconfirmedFields> {}

/** An uplink, confirmed or not. Check for it with {@link isUplinkEvent}. */
export type UplinkEvent = ConfirmedUplinkEvent | UnconfirmedUplinkEvent;

const integration = record({
  /** The id of the integration: a UUID. */
  id: shown(id),
  /** The name of the integration. */
  name: shown(z.string()),
  /** The outcome. The spec shows `success` only. */
  status: shown(openEnum("success")),
});

const integrationData = record({
  /** The integration that received the uplink. */
  integration,
  /** The request that was sent. A deployment may add its method, address, headers and parameters (observed). All but the method are Secrets. */
  req: record({
    /** The spec does not say what it means. May be absent (observed). */
    qos: seen(shown(z.optional(z.int()))),
    /** What was sent: the uplink as documented (see `isUplinkBody`), any other JSON, or a string (observed). */
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
export const IntegrationEvent: SchemaOf<IntegrationEvent, typeof integrationFields> =
  integrationFields;

const OBSERVED = [
  "uplink_integration_res",
  // Joins.
  "undefined",
  "uplink_dropped_device_inactive",
  "uplink_dropped_not_enough_dc",
  "uplink_dropped_late",
  "uplink_dropped_invalid",
  "downlink_confirmed",
  "downlink_unconfirmed",
  "downlink_dropped_payload_size_exceeded",
  "downlink_dropped_misc",
  "downlink_queued",
  "downlink_ack",
  "misc_integration_error",
] as const;

const observedFields = record({
  ...common,
  /** The kind of event; joins have the string `undefined` (observed). */
  sub_category: z.literal(OBSERVED),
  /** The spec does not show the data of these events. The named fields may be absent (observed). */
  data: guess(
    z.nullish(
      record({
        /** The hotspot that the event is about. */
        hotspot: z.nullish(hotspotFields as SchemaOf<EventHotspot, typeof hotspotFields>),
        /** The integration of an `uplink_integration_res`. */
        integration: z.nullish(partial(integration)),
        /** What an integration responded, in an `uplink_integration_res`. Its headers are a Secret. */
        res: z.nullish(
          record({
            /** The status of the response. */
            code: z.nullish(z.int()),
            /** What it responded: any JSON, or a string. */
            body: z.optional(z.unknown()),
          }),
        ),
      }),
    ),
  ),
});

/**
 * A response of an integration, a join, a drop, a downlink or an error: a kind of event that running deployments have and the spec does
 * not show (observed). Check for it with {@link isObservedEvent}.
 */
export interface ObservedDeviceEvent extends z.output<typeof observedFields> {}

/** Sub-categories of the events above. */
const NAMED = new Set<string>([
  "uplink_confirmed",
  "uplink_unconfirmed",
  "uplink_integration_req",
  ...OBSERVED,
]);

const otherFields = record({
  ...common,
  /** The kind of event. New ones may appear. */
  sub_category: shown(
    z.string().check(
      // Aborts, because zod would choose a union member that only fails a refinement.
      z.refine((value) => !NAMED.has(value), {
        abort: true,
        error: "is documented with other data",
      }),
    ),
  ),
  /** The spec does not show the data of these events. */
  data: shown(z.unknown()),
});

/** Any other event, with data that the spec does not describe. */
export interface OtherDeviceEvent extends z.output<typeof otherFields> {}

/** An event of a device. More sub-categories may occur: narrow with {@link isUplinkEvent} and {@link isIntegrationEvent}. */
export type DeviceEvent = UplinkEvent | IntegrationEvent | ObservedDeviceEvent | OtherDeviceEvent;
const eventUnion = z.union([
  confirmedFields,
  unconfirmedFields,
  integrationFields,
  observedFields,
  otherFields,
]);
export const DeviceEvent: SchemaOf<DeviceEvent, typeof eventUnion> = eventUnion;

/**
 * Tells whether an event is an uplink. Its `data` then has the frame counter, the hotspot and the payload. The spec shows confirmed
 * uplinks; in running deployments, nearly all are unconfirmed, with the same fields (observed).
 *
 * @example
 * ```ts
 * const uplinks = (await client.devices.events({ device_id })).filter(isUplinkEvent);
 * ```
 */
export function isUplinkEvent(event: DeviceEvent): event is UplinkEvent {
  const kind = memberOf(event, "sub_category");
  return kind === "uplink_confirmed" || kind === "uplink_unconfirmed";
}

/**
 * Tells whether an event is a confirmed uplink, the kind that the spec shows.
 *
 * @example
 * ```ts
 * const confirmed = (await client.devices.events({ device_id })).filter(isConfirmedUplinkEvent);
 * ```
 */
export function isConfirmedUplinkEvent(event: DeviceEvent): event is ConfirmedUplinkEvent {
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

/**
 * Tells whether an event is of a kind that running deployments have and the spec does not show (observed): a response of an
 * integration, a join, a drop, a downlink or an error. Its `sub_category` says which.
 *
 * @example
 * ```ts
 * const joins = (await client.devices.events({ device_id })).filter(isObservedEvent).filter((event) => event.sub_category === "undefined");
 * ```
 */
export function isObservedEvent(event: DeviceEvent): event is ObservedDeviceEvent {
  return (OBSERVED as readonly unknown[]).includes(memberOf(event, "sub_category"));
}
