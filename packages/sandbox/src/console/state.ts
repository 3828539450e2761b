import type { Clock } from "@fieldmesh/core";
import { createRandom } from "../random.js";
import type { ConsoleDeployment } from "./deployment.js";

/** All that the console holds. Tests may read it, and change what no endpoint changes, such as the credits. */
export interface ConsoleState {
  readonly organization: OrganizationRecord;
  /** Which API keys are known. */
  readonly keys: Map<string, "confirmed" | "unconfirmed">;
  readonly labels: Map<string, LabelRecord>;
  readonly devices: DeviceStore;
  readonly deployment: ConsoleDeployment;
  readonly clock: Clock;
  /** Gives the next id. */
  readonly newId: () => string;
}

export interface OrganizationRecord {
  readonly id: string;
  name: string;
  dc_balance: number;
  oui: number;
}

export interface LabelRecord {
  readonly id: string;
  name: string;
  multi_buy: number;
  adr_allowed: boolean | null;
  cf_list_enabled: boolean | null;
  rx_delay: number | null;
  config_profile_id: string | null;
}

export interface DeviceRecord {
  readonly id: string;
  readonly dev_eui: string;
  readonly app_eui: string;
  readonly app_key: string;
  name: string;
  active: boolean;
  adr_allowed: boolean | null;
  cf_list_enabled: boolean | null;
  rx_delay: number | null;
  config_profile_id: string | null;
  dc_usage: number;
  total_packets: number;
  in_xor_filter: boolean;
  /** Milliseconds since 1970; `null` for a device that was never heard. */
  last_connected: number | null;
  /** The ids of its labels, oldest link first. */
  readonly label_ids: Set<string>;
}

/** The devices by id, with what finds them by EUI among a hundred thousand. */
export interface DeviceStore {
  readonly size: number;
  get(id: string): DeviceRecord | undefined;
  /** In the order of their creation. */
  values(): IterableIterator<DeviceRecord>;
  /** EUIs are matched as they are stored, upper-case; those left out match any. */
  find(euis: Euis): DeviceRecord[];
  add(device: DeviceRecord): void;
  delete(id: string): void;
}

export interface Euis {
  readonly dev_eui: string;
  readonly app_eui?: string | undefined;
  readonly app_key?: string | undefined;
}

/** Creates a console that holds an organization and nothing else. */
export function createConsoleState(
  deployment: ConsoleDeployment,
  clock: Clock,
  seed: number | string,
): ConsoleState {
  const random = createRandom(seed, "console ids");
  return {
    organization: { id: random.guid(), name: "Northern Water Board", dc_balance: 250_000, oui: 1 },
    keys: new Map(),
    labels: new Map(),
    devices: createDeviceStore(),
    deployment,
    clock,
    newId: () => random.guid(),
  };
}

function createDeviceStore(): DeviceStore {
  const byId = new Map<string, DeviceRecord>();
  const byEui = new Map<string, Set<DeviceRecord>>();
  return {
    get size() {
      return byId.size;
    },
    get: (id) => byId.get(id.toLowerCase()),
    values: () => byId.values(),
    find: ({ dev_eui, app_eui, app_key }) =>
      [...(byEui.get(dev_eui) ?? [])].filter(
        (device) =>
          (app_eui === undefined || device.app_eui === app_eui) &&
          (app_key === undefined || device.app_key === app_key),
      ),
    add: (device) => {
      byId.set(device.id, device);
      const same = byEui.get(device.dev_eui);
      if (same) same.add(device);
      else byEui.set(device.dev_eui, new Set([device]));
    },
    delete: (id) => {
      const device = byId.get(id);
      if (!device) return;
      byId.delete(id);
      byEui.get(device.dev_eui)?.delete(device);
    },
  };
}
