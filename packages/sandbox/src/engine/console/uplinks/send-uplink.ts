import { parseJson, stringifyJson } from "@fieldmesh/core";
import { deliverUplink, type IntegrationDelivery } from "./deliver-uplink.ts";
import { uplinkBody } from "./event-records.ts";
import type { ConsoleState } from "../state/state.ts";
import { uplinkOf } from "./uplink.ts";
import type { Handover } from "./stretch.ts";
import { integrationsOf, receiveNow } from "./uplinks.ts";

/** An uplink that a device sends. */
export interface NewUplink {
  readonly device_id: string;
  /** The decoded payload as JSON. Integrations receive it in `decoded.payload`. @default none */
  readonly decoded?: unknown;
}

/** The outcome of an uplink. */
export interface SentUplink {
  readonly dev_eui: string;
  /** The frame counter. */
  readonly fcnt: number;
  /** Whether the console accepted it. It drops uplinks of an inactive device, and uplinks without data credits. */
  readonly fate: "taken" | "inactive" | "no credit";
  /** One delivery for each integration that a flow connects to the device or to one of its labels. */
  readonly deliveries: readonly IntegrationDelivery[];
}

/** Makes a device send an uplink, and delivers it. Throws a TypeError for an unknown device. */
export async function sendUplink(
  state: ConsoleState,
  { device_id, decoded }: NewUplink,
  stopped: AbortSignal,
): Promise<SentUplink> {
  const device = state.devices.get(device_id);
  if (device === undefined)
    throw new TypeError(`There is no device ${device_id}: pass the id that its creation returned.`);
  const copy = decoded === undefined ? undefined : parseJson(stringifyJson(decoded));
  const stretch = receiveNow(device, state, copy);
  const { fate, frame: fcnt } = stretch;
  const sent = { dev_eui: device.dev_eui, fcnt, fate };
  if (fate !== "taken") return { ...sent, deliveries: [] };
  const body = uplinkBody(uplinkOf(device, state, stretch, 0));
  const handovers: Handover[] = [];
  const deliveries = await Promise.all(
    integrationsOf(device, state).map(async (integration, index) => {
      const delivery = await deliverUplink(integration, body, { clock: state.clock, stopped });
      handovers[index] = { ...delivery.integration, failure: delivery.failure };
      // In the order of the flows, and not of the responses. Pending ones are holes.
      stretch.integrations = Object.values(handovers);
      return delivery;
    }),
  );
  return { ...sent, deliveries };
}
