// Why it is so: docs/decisions/23-uplinks-on-demand.md
import { anything, mistake, options, parseJson, stringifyJson } from "@fieldmesh/core/internal";
import { deliverUplink, type IntegrationDelivery } from "./deliver-uplink.ts";
import { uplinkBody } from "./event-records.ts";
import type { ConsoleState, DeviceRecord } from "../state/state.ts";
import { uplinkOf } from "./uplink.ts";
import type { Handover, Stretch } from "../state/stretch.ts";
import { integrationsOf, receiveNow } from "./uplinks.ts";

/** An uplink that a device sends. */
export interface NewUplink {
  readonly device_id: string;
  /** The decoded payload as JSON. Integrations receive it in `decoded.payload`. @default none */
  readonly decoded?: unknown;
}

const readUplink = /* @__PURE__ */ options<NewUplink>("sendUplink", {
  device_id: { required: anything },
  decoded: anything,
});

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

/** Makes a device send an uplink, and delivers it, by changes that can be repeated. Throws a TypeError for an unknown device. */
export async function sendUplink(
  state: ConsoleState,
  given: NewUplink,
  stopped: AbortSignal,
  make: <T>(work: (changes: UplinkChanges) => T) => T,
): Promise<SentUplink> {
  const { device_id, decoded } = readUplink(given);
  const device = knownDevice(state, device_id);
  const copy = decoded === undefined ? undefined : parseJson(stringifyJson(decoded));
  const stretch = make(({ receive }) => receive(device_id, copy));
  const { fate, frame: fcnt } = stretch;
  const sent = { dev_eui: device.dev_eui, fcnt, fate };
  if (fate !== "taken") return { ...sent, deliveries: [] };
  const body = uplinkBody(uplinkOf(device, state, stretch, 0));
  const handovers: Handover[] = [];
  const deliveries = await Promise.all(
    integrationsOf(device, state).map(async (integration, index) => {
      const delivery = await deliverUplink(integration, body, { clock: state.clock, stopped });
      const { failure, status = null } = delivery;
      handovers[index] = { ...delivery.integration, failure, status };
      // In the order of the flows, and not of the responses. Pending ones are holes.
      const soFar = Object.values(handovers);
      if (!stopped.aborted) make(({ handOver }) => handOver(device_id, fcnt, soFar));
      return delivery;
    }),
  );
  return { ...sent, deliveries };
}

export type UplinkChanges = ReturnType<typeof uplinkChanges>;

/** The changes that an uplink makes. */
export function uplinkChanges(state: ConsoleState) {
  return {
    receive: (device_id: string, decoded: unknown) =>
      receiveNow(knownDevice(state, device_id), state, decoded),
    /** Stores to which integrations an uplink was sent so far. */
    handOver: (device_id: string, frame: number, handovers: readonly Handover[]) => {
      const device = knownDevice(state, device_id);
      const isIt = (each: Stretch) => each.made !== undefined && each.frame === frame;
      const heard = device.heard.map((each) =>
        isIt(each) ? { ...each, integrations: handovers } : each,
      );
      state.devices.update(device, { heard });
    },
  };
}

function knownDevice(state: ConsoleState, device_id: string): DeviceRecord {
  const device = state.devices.get(device_id);
  if (device === undefined)
    throw mistake(`There is no device ${device_id}: pass the id that its creation returned.`);
  return device;
}
