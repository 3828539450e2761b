/** The sample uplink in the form of a network server, in wire format. */
export const networkServerUplink = {
  deviceInfo: { devEui: "0004a30b001c0530", deviceName: "Tracker 7" },
  fCnt: 42,
  time: "2026-11-20T08:00:00.000Z",
  txInfo: {
    frequency: 868_100_000,
    modulation: { lora: { spreadingFactor: 9, bandwidth: 125_000 } },
  },
  rxInfo: [
    {
      rssi: -101,
      snr: 6.5,
      time: "2026-11-20T08:00:00.000Z",
      metadata: {
        gateway_id: "112Kx5rAZ1",
        gateway_name: "calm-teal-heron",
        gateway_lat: "47.37691",
        gateway_long: "8.54172",
      },
    },
  ],
  object: { latitude: 47.3769, longitude: 8.5417, altitude: 408, accuracy: 3.5 },
};
