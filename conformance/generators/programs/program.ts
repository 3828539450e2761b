/** Where the services are, and what lets a caller in. */
export interface Sandbox {
  readonly console: string;
  readonly ledger: string;
  readonly mapper: string;
  readonly mobile: string;
  /** For the header `key` of the console. */
  readonly consoleKey: string;
  /** The bearer token of the mobile service. */
  readonly mobileKey: string;
  /** An account of the ledger. */
  readonly account: string;
}

/** What the calls of each program return, as the generated client has it. */
export interface Results {
  readonly created: { readonly id: string };
  readonly labels: unknown;
  readonly blocks: unknown;
  readonly account: unknown;
  readonly subscriber: unknown;
}

/** Creates and lists labels, reads the second page of blocks and an account, ingests an uplink, creates a subscriber. */
export type Run = (sandbox: Sandbox) => Promise<Results>;

export const label = { name: "Pumps" };
export const subscriber = { email: "mina@example.com", name: "Mina Okafor" };
export const uplink = {
  deviceInfo: { devEui: "0004a30b001c0530" },
  fCnt: 42,
  time: "2026-11-20T08:00:00.000Z",
  txInfo: {
    frequency: 868100000,
    modulation: { lora: { spreadingFactor: 9, bandwidth: 125000 } },
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
