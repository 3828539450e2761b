import type { Clock, Secret } from "@fieldmesh/core";
import { createRandom, type Random, type RandomPosition } from "../../random.ts";
import { byId } from "./lookup.ts";
import type { ConsoleDeployment } from "./deployment.ts";
import type { Stretch } from "./stretch.ts";

/** The data of the console. Tests may read it, and change what no endpoint changes, such as the credits. */
export interface ConsoleState {
  readonly organization: OrganizationRecord;
  /** The known API keys. */
  readonly keys: Map<string, "confirmed" | "unconfirmed">;
  readonly labels: Map<string, LabelRecord>;
  readonly devices: DeviceStore;
  readonly integrations: Map<string, IntegrationRecord>;
  /** Integrations that were deleted. Events show what was sent to them. */
  readonly formerIntegrations: Map<string, IntegrationRecord>;
  readonly flows: Map<string, FlowRecord>;
  readonly deployment: ConsoleDeployment;
  readonly clock: Clock;
  /** Milliseconds between two uplinks of a device. */
  readonly uplinkInterval: number;
  /** Returns the next id. */
  readonly newId: () => string;
  /** Returns the time at which a new device sends for the first time. */
  readonly firstUplink: () => number;
}

/** The organization of the console, as the sandbox stores it. */
export interface OrganizationRecord {
  readonly id: string;
  name: string;
  dc_balance: number;
  oui: number;
}

/** A label, as the sandbox stores it. */
export interface LabelRecord {
  readonly id: string;
  name: string;
  multi_buy: number;
  adr_allowed: boolean | null;
  cf_list_enabled: boolean | null;
  rx_delay: number | null;
  config_profile_id: string | null;
}

/** A device, as the sandbox stores it. A change replaces its record, so that snapshots and forks can share those that did not change. */
export interface DeviceRecord {
  readonly id: string;
  readonly dev_eui: string;
  readonly app_eui: string;
  readonly app_key: string;
  readonly name: string;
  readonly active: boolean;
  readonly adr_allowed: boolean | null;
  readonly cf_list_enabled: boolean | null;
  readonly rx_delay: number | null;
  readonly config_profile_id: string | null;
  readonly dc_usage: number;
  readonly total_packets: number;
  readonly in_xor_filter: boolean;
  /** In milliseconds since 1970. `null` for a device that has never sent. */
  readonly last_connected: number | null;
  /** The ids of its labels, oldest link first. */
  readonly label_ids: ReadonlySet<string>;
  /** When it sends next. `Infinity` for a device that is switched off. */
  readonly next_uplink: number;
  /** Its uplinks, oldest first. */
  readonly heard: readonly Stretch[];
}

/** An integration without its credentials, which are returned once. Those of an HTTP integration are stored to deliver with. */
export interface IntegrationRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** The credentials of an HTTP integration as JSON. A Secret, because all of it is secret. */
  readonly target: Secret | undefined;
}

/** A flow from either a label or a device. */
export interface FlowRecord {
  readonly id: string;
  readonly integration_id: string;
  readonly label_id: string | null;
  readonly device_id: string | null;
  readonly function_id: string | null;
}

/** The devices by id, with an index by EUI for a hundred thousand of them. */
export interface DeviceStore {
  readonly size: number;
  get(id: string): DeviceRecord | undefined;
  /** In the order of their creation. */
  values(): IterableIterator<DeviceRecord>;
  /** Finds devices by EUIs, without regard to case in the spec. An omitted field matches any value. */
  find(euis: Euis): DeviceRecord[];
  add(device: DeviceRecord): void;
  /** Replaces fields of a device, and returns its new record. The EUIs of a device never change. */
  update(device: DeviceRecord, change: DeviceChange): DeviceRecord;
  delete(id: string): void;
}

/** The fields of a device that change. */
export type DeviceChange = Partial<Omit<DeviceRecord, "id" | "dev_eui" | "app_eui" | "app_key">>;

/** What identifies a device. An omitted field matches any value. */
export interface Euis {
  readonly dev_eui: string;
  readonly app_eui?: string | undefined;
  readonly app_key?: string | undefined;
}

/** The random sequences of a console. */
export interface ConsoleRandoms {
  readonly ids: Random;
  /** When new devices send for the first time. */
  readonly phases: Random;
}

/** Starts the random sequences of a console, or continues saved ones. */
export function createConsoleRandoms(
  seed: number | string,
  saved: { readonly ids?: RandomPosition; readonly phases?: RandomPosition } = {},
): ConsoleRandoms {
  return {
    ids: createRandom(seed, "console ids", saved.ids),
    phases: createRandom(seed, "console uplinks", saved.phases),
  };
}

/** Creates a console that contains only an organization: a saved one, or a new one. */
export function createConsoleState(
  settings: Pick<ConsoleState, "deployment" | "clock" | "uplinkInterval">,
  { ids, phases }: ConsoleRandoms,
  organization?: OrganizationRecord,
): ConsoleState {
  const { clock, uplinkInterval } = settings;
  return {
    ...settings,
    organization: organization ?? {
      id: ids.guid(),
      name: "Northern Water Board",
      dc_balance: 250_000,
      oui: 1,
    },
    keys: new Map(),
    labels: new Map(),
    devices: createDeviceStore(settings.deployment),
    integrations: new Map(),
    formerIntegrations: new Map(),
    flows: new Map(),
    newId: () => ids.guid(),
    firstUplink: () => clock.now() + Math.ceil((1 - phases.next()) * uplinkInterval),
  };
}

function createDeviceStore({ inputs }: ConsoleDeployment): DeviceStore {
  // Running deployments store upper case, and compare exactly.
  const fold = (text: string): string => (inputs === "observed" ? text : text.toUpperCase());
  const all = new Map<string, DeviceRecord>();
  /** The ids by dev_eui. Made when it is needed first, because most forks never need it. */
  let byEui: Map<string, string[]> | undefined;
  const index = (to: Map<string, string[]>, { dev_eui, id }: DeviceRecord) => {
    const same = to.get(fold(dev_eui));
    if (same) same.push(id);
    else to.set(fold(dev_eui), [id]);
  };
  const idsOf = (dev_eui: string): readonly string[] => {
    if (byEui === undefined) {
      byEui = new Map();
      for (const device of all.values()) index(byEui, device);
    }
    return byEui.get(fold(dev_eui)) ?? [];
  };
  return {
    get size() {
      return all.size;
    },
    get: (id) => byId(all, id),
    values: () => all.values(),
    find: ({ dev_eui, app_eui, app_key }) =>
      idsOf(dev_eui)
        .flatMap((id) => all.get(id) ?? [])
        .filter(
          (device) =>
            (app_eui === undefined || fold(device.app_eui) === fold(app_eui)) &&
            (app_key === undefined || fold(device.app_key) === fold(app_key)),
        ),
    add: (device) => {
      all.set(device.id, device);
      if (byEui !== undefined) index(byEui, device);
    },
    update: (device, change) => {
      // A caller may have an earlier record of the device.
      const changed = { ...(all.get(device.id) ?? device), ...change };
      all.set(device.id, changed);
      return changed;
    },
    delete: (id) => {
      const device = all.get(id);
      if (!device) return;
      all.delete(id);
      const others = idsOf(device.dev_eui).filter((each) => each !== id);
      byEui?.set(fold(device.dev_eui), others);
    },
  };
}
