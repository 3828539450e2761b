import type { SampleOf } from "@fieldmesh/http/internal";
import type { devices as table } from "@fieldmesh/console-client/endpoints";
import type { Secret } from "@fieldmesh/core";
import { shownRequest } from "./deliver-uplink.ts";
import { labelsOf } from "../state/labels-of.ts";
import { PAYLOAD_SIZE, PORT, sessionOf, type Uplink } from "./uplink.ts";
import type { Handover } from "../state/stretch.ts";

export type WireEvent = SampleOf<(typeof table)["events"]>["output"][number];

/** The sub-category of an uplink that is sent to an integration. */
export const HANDED_OVER = "uplink_integration_req";

/** Creates the event of a received uplink. */
export function taken(uplink: Uplink): WireEvent {
  const { balance, confirmed, frame, hotspot, payload, device } = uplink;
  return {
    ...common(uplink, "uplink"),
    sub_category: confirmed ? "uplink_confirmed" : "uplink_unconfirmed",
    description: `${confirmed ? "Confirmed" : "Unconfirmed"} data up received`,
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

export function dropped(uplink: Uplink, fate: "inactive" | "no credit"): WireEvent {
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

/** Creates the event of a join, whose sub-category is the string `undefined` (observed). */
export function joined(uplink: Uplink, category: "join_request" | "join_accept"): WireEvent {
  const description = category === "join_request" ? "Join request received" : "Join accept sent";
  return {
    ...common(uplink, category),
    sub_category: "undefined",
    description,
    data: { hotspot: uplink.hotspot },
  };
}

/** Creates the event of the request that sends an uplink to an integration. */
export function handedOver(uplink: Uplink, handover: Handover): WireEvent {
  const { name, failure } = handover;
  const body = uplinkBody(uplink);
  const target = targetOf(uplink, handover);
  return {
    ...common(uplink, "uplink"),
    sub_category: HANDED_OVER,
    description:
      failure === undefined ? `Request sent to ${name}` : `Request to ${name} failed: ${failure}`,
    data: {
      integration: integrationOf(handover),
      req: target === undefined ? { qos: 0, body } : { ...shownRequest(target, body), body },
    },
  };
}

/** Creates the event of the response of an integration, if one arrived (observed). */
export function responded(uplink: Uplink, handover: Handover): WireEvent[] {
  const { name, status: code = 200 } = handover;
  if (code === null || targetOf(uplink, handover) === undefined) return [];
  const event = {
    ...common(uplink, "uplink"),
    sub_category: "uplink_integration_res",
    description: `Response received from ${name}`,
    data: { integration: integrationOf(handover), res: { body: "", code, headers: {} } },
  };
  return [event as WireEvent];
}

function integrationOf({ id, name, failure }: Handover) {
  // The published spec only shows "success".
  return { id, name, status: failure === undefined ? "success" : "error" };
}

/** Returns what an HTTP integration is called with. The published spec does not show it. */
function targetOf({ state }: Uplink, { id }: Handover): Secret | undefined {
  if (state.deployment.records === "spec") return undefined;
  return (state.integrations.get(id) ?? state.formerIntegrations.get(id))?.target;
}

/** Creates the body for an integration: the standard uplink of the console. */
export function uplinkBody(uplink: Uplink): object {
  const { device, state, frame, payload, time, hotspot, balance, made } = uplink;
  const { app_eui, dev_eui, id, name, adr_allowed, cf_list_enabled } = device;
  const flags = { adr_allowed: adr_allowed ?? false, cf_list_enabled: cf_list_enabled ?? false };
  // (observed)
  const isFull = state.deployment.records === "full";
  const labels = labelsOf(device, state).map((label) => ({ id: label.id, name: label.name }));
  const organization_id = state.organization.id;
  return {
    app_eui,
    dev_eui,
    devaddr: sessionOf(id).devaddr,
    fcnt: frame,
    hotspots: [{ ...hotspot, hold_time: 0, reported_at: time, status: "success" }],
    id,
    metadata: { ...flags, multi_buy: 1, organization_id, ...(isFull && { labels }) },
    name,
    payload,
    payload_size: PAYLOAD_SIZE,
    port: PORT,
    reported_at: time,
    uuid: id,
    ...(isFull && { type: "uplink", replay: false, dc: { balance, nonce: 1 } }),
    ...(made?.decoded !== undefined && { decoded: { payload: made.decoded, status: "success" } }),
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
