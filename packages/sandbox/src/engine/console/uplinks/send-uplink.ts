import { parseJson, stringifyJson } from "@fieldmesh/core";
import { deliverUplink, type IntegrationDelivery } from "./deliver-uplink.ts";
import { uplinkBody } from "./event-records.ts";
import type { ConsoleState } from "../state/state.ts";
import { uplinkOf } from "./uplink.ts";
import type { Handover } from "./stretch.ts";
import { integrationsOf, receiveNow } from "./uplinks.ts";

/** An uplink that a device is to send. */
export interface NewUplink {
  readonly device_id: string;
  /** What a decoder makes of it, as JSON; integrations find it in `decoded.payload`. @default nothing is decoded */
  readonly decoded?: unknown;
}

/** What became of an uplink. */
export interface SentUplink {
  readonly dev_eui: string;
  /** The frame counter. */
  readonly fcnt: number;
  /** Whether the console took it: not of an inactive device, and not without data credits. */
  readonly fate: "taken" | "inactive" | "no credit";
  /** One for each integration to which a flow leads from the device or from one of its labels. */
  readonly deliveries: readonly IntegrationDelivery[];
}

/** Makes a device send, and hands it on. Throws a TypeError for a device that is not there. */
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
      // In the order of the flows, and not of the responses; those that still wait are holes.
      stretch.integrations = Object.values(handovers);
      return delivery;
    }),
  );
  return { ...sent, deliveries };
}
