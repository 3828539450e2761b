import type { devices as table } from "@fieldmesh/console-client/endpoints";
import { PAYLOAD_SIZE, PORT, sessionOf, type Uplink } from "./uplink.js";

/** An event on the wire. */
export type EventAnswer = (typeof table)["events"]["sample"]["output"][number];

/** The sub-category of what is handed to an integration. */
export const HANDED_OVER = "uplink_integration_req";

/** An uplink that came in. */
export function taken(uplink: Uplink): EventAnswer {
  const { balance, frame, hotspot, payload, device } = uplink;
  return {
    ...common(uplink, "uplink"),
    sub_category: "uplink_confirmed",
    description: "Confirmed data up received",
    data: {
      dc: { balance, nonce: 1, used: 1 },
      devaddr: sessionOf(device.id).devaddr,
      fcnt: frame,
      hold_time: 0,
      hotspot,
      mac: [],
      payload,
      payload_size: PAYLOAD_SIZE,
      port: PORT,
    },
  };
}

/** An uplink that the console did not take. */
export function dropped(uplink: Uplink, fate: "inactive" | "no credit"): EventAnswer {
  const inactive = fate === "inactive";
  return {
    ...common(uplink, "uplink_dropped"),
    sub_category: inactive ? "uplink_dropped_device_inactive" : "uplink_dropped_not_enough_dc",
    description: inactive
      ? "Device inactive, packet dropped"
      : "Not enough data credits, packet dropped",
    data: { fcnt: uplink.frame, hotspot: uplink.hotspot },
  };
}

/** A join; running deployments give it the text `undefined` for a sub-category. */
export function joined(uplink: Uplink, category: "join_request" | "join_accept"): EventAnswer {
  const description = category === "join_request" ? "Join request received" : "Join accept sent";
  return {
    ...common(uplink, category),
    sub_category: "undefined",
    description,
    data: { hotspot: uplink.hotspot },
  };
}

/** The request that hands an uplink to an integration. */
export function handedOver(uplink: Uplink, integration: { id: string; name: string }): EventAnswer {
  return {
    ...common(uplink, "uplink"),
    sub_category: HANDED_OVER,
    description: `Request sent to ${integration.name}`,
    data: {
      integration: { ...integration, status: "success" },
      req: { qos: 0, body: uplinkBody(uplink) },
    },
  };
}

/** What an integration is sent. */
function uplinkBody({ device, state, frame, payload, time, hotspot }: Uplink): object {
  const { app_eui, dev_eui, id, name, adr_allowed, cf_list_enabled } = device;
  const flags = { adr_allowed: adr_allowed ?? false, cf_list_enabled: cf_list_enabled ?? false };
  return {
    app_eui,
    dev_eui,
    devaddr: sessionOf(id).devaddr,
    fcnt: frame,
    hotspots: [{ ...hotspot, hold_time: 0, reported_at: time, status: "success" }],
    id,
    metadata: { ...flags, multi_buy: 1, organization_id: state.organization.id },
    name,
    payload,
    payload_size: PAYLOAD_SIZE,
    port: PORT,
    reported_at: time,
    uuid: id,
  };
}

function common<const Category extends string>(
  { device, state, router_uuid, time, frame }: Uplink,
  category: Category,
) {
  return {
    category,
    device_id: device.id,
    organization_id: state.organization.id,
    router_uuid,
    frame_up: frame,
    frame_down: null,
    reported_at: String(time),
  };
}
