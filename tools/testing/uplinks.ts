import { networkServerUplink } from "../../packages/mapper-client/src/samples/records.ts";

/** Returns a standard uplink that the map accepts, with changes to its payload and to whole fields. */
export function consoleUplink(
  payload: Readonly<Record<string, unknown>> = {},
  fields: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    dev_eui: "0004A30B001C0530",
    app_eui: "70B3D57ED0010002",
    devaddr: "48FF8178",
    fcnt: 5,
    hotspots: [
      {
        id: "112Kx5rAZ1",
        name: "calm-teal-heron",
        lat: 47.37,
        long: 8.54,
        reported_at: 1_795_165_173_796,
        rssi: -101,
        snr: 6.5,
        spreading: "SF9BW125",
      },
    ],
    decoded: {
      status: "success",
      payload: { latitude: 47.3769, longitude: 8.5417, altitude: 408, accuracy: 3.5, ...payload },
    },
    name: "Tracker 7",
    payload: "F+mUcRcBqqA=",
    payload_size: 8,
    port: 2,
    reported_at: 1_795_165_173_796,
    ...fields,
  };
}

/** Returns an uplink event of a network server that the map accepts. */
export function networkUplink(
  fields: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return { ...structuredClone(networkServerUplink), ...fields };
}
