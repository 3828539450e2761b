import { ApiError } from "@fieldmesh/http";
import { countOf } from "../plan/count-of.ts";
import type { FleetDevice } from "../move/fleet.ts";
import type { PlanFact } from "../plan/plan-lines.ts";
import { addLabels } from "./target.ts";
import {
  differenceOf,
  type Comparison,
  type Difference,
  type Reading,
  type ServerOptions,
  type TargetServer,
  type Wanted,
} from "./target-server.ts";
import { MAX_LABELS, thingsStack, type EndDevice } from "./things-stack.ts";
import { hostOf, thingsStackCalls, type Deployment } from "./things-stack-calls.ts";
import {
  createThingsStackClient,
  toTargetError,
  type EndDeviceRecord,
} from "./things-stack-client.ts";

const PAGE = 1_000;

type Found = Readonly<{ application_id: string; record: EndDeviceRecord }>;

/** Opens a deployment of The Things Stack. Comparing a device costs three calls; one that is missing costs none. */
export function openThingsStack({ url, key, signal }: ServerOptions): TargetServer {
  const deployment = { client: createThingsStackClient({ url, key }), url, key, signal };
  return { read: (wanted) => readThingsStack(deployment, wanted), close: () => undefined };
}

async function readThingsStack(
  deployment: Deployment,
  wanted: readonly Wanted[],
): Promise<Reading> {
  const open: PlanFact[] = [];
  const found = new Map<string, Found>();
  for (const id of new Set(wanted.flatMap(({ settings }) => settings.application_id ?? []))) {
    const records = await listDevices(deployment, id);
    if (records === undefined)
      open.push({
        kind: "application_id",
        name: id,
        what: "The Things Stack has no such application for this key",
      });
    for (const record of records ?? [])
      found.set((record.ids.dev_eui ?? "").toUpperCase(), { application_id: id, record });
  }
  return {
    open,
    lost: joinElsewhere(wanted, deployment.url),
    compare: (each) => compare(deployment, each, found),
  };
}

/** Lists the other Join Servers. They store the keys of their devices, which this deployment does not accept. */
function joinElsewhere(wanted: readonly Wanted[], url: URL): PlanFact[] {
  const addresses = wanted.flatMap(({ settings }) => settings.join_server_address ?? []);
  const others = Map.groupBy(
    addresses.filter((address) => hostOf(address) !== url.hostname),
    (address) => address,
  );
  return [...others].map(([name, { length }]) => ({
    kind: "join_server_address",
    name,
    what: `${countOf(length, "device")} there; add the keys to that Join Server`,
  }));
}

/** Lists the devices of an application. Returns `undefined` if it does not exist or if this key has no access: the server responds alike. */
async function listDevices(
  { client, url, key, signal }: Deployment,
  application_id: string,
): Promise<EndDeviceRecord[] | undefined> {
  const records: EndDeviceRecord[] = [];
  for (let page = 1; ; page++) {
    const input = { application_id, limit: PAGE, page, field_mask: "name,attributes" };
    try {
      const { end_devices = [] } = await client.list(input, { signal });
      records.push(...end_devices);
      if (end_devices.length < PAGE) return records;
    } catch (error) {
      if (error instanceof ApiError && [403, 404].includes(error.status)) return undefined;
      throw toTargetError(error, url, signal, [key]);
    }
  }
}

async function compare(
  deployment: Deployment,
  { device, settings: { application_id = "", ...settings } }: Wanted,
  found: ReadonlyMap<string, Found>,
): Promise<Comparison> {
  const [wanted] = thingsStack.write(device, settings);
  const there = found.get(wanted.ids.dev_eui);
  // The user may have registered it under another id.
  const { device_id } = there?.record.ids ?? wanted.ids;
  const place = { application_id: there?.application_id ?? application_id, device_id };
  const calls = thingsStackCalls(deployment, place, wanted);
  const { addKey, addToNetwork, addToApplication } = calls;
  if (there === undefined) {
    const changes = [calls.create, addKey, addToNetwork, addToApplication];
    return { isNew: true, changes: changes.filter((each) => each !== undefined), byHand: [] };
  }

  const [network, key, application] = [
    await calls.readNetwork(),
    addKey === undefined ? undefined : await calls.readKey(),
    await calls.readApplication(),
  ];
  const changed = namesToChange(device, wanted, there.record);
  const changes = [
    ...(changed === undefined ? [] : [calls.update(changed, changed.set)]),
    ...(addKey !== undefined && key === undefined ? [addKey] : []),
    ...(network === undefined ? [addToNetwork] : []),
    ...(application === undefined ? [addToApplication] : []),
  ];
  const join_eui = there.record.ids.join_eui?.toUpperCase();
  const joinEuis = [join_eui, wanted.ids.join_eui] as const;
  const applications = [there.application_id, application_id] as const;
  const byHand = [
    ...differenceOf("application_id", applications, `it is in the application ${applications[0]}`),
    ...differenceOf("join_eui", joinEuis, `its join_eui is ${join_eui ?? "not set"}`),
  ];
  if (key !== undefined && key.reveal().toUpperCase() !== wanted.root_keys.app_key.key)
    byHand.push({ what: "it has another key", fields: { app_key: {} } });
  if (network !== undefined) byHand.push(...versionDifferences(wanted, network));
  return { isNew: false, changes, byHand };
}

function versionDifferences(wanted: EndDevice, network: EndDeviceRecord): Difference[] {
  const names = ["lorawan_version", "lorawan_phy_version", "frequency_plan_id"] as const;
  return names.flatMap((name) => {
    const what = `its ${name} is ${network[name] ?? "not set"}`;
    return differenceOf(name, [network[name], wanted[name]], what);
  });
}

/** Returns the names of a device that differ, if any. The server replaces all attributes at once. */
function namesToChange(device: FleetDevice, { name }: EndDevice, there: EndDeviceRecord) {
  const labelsThere = there.attributes?.["labels"];
  const labels = addLabels(labelsThere, device);
  const isLonger = labels !== undefined && labels.length <= MAX_LABELS;
  const isRenamed = (there.name ?? "") !== name;
  if (!isLonger && !isRenamed) return undefined;
  return {
    what: [
      ...(isRenamed ? [`name it ${JSON.stringify(name)}`] : []),
      ...(isLonger ? [`set its attribute labels to ${JSON.stringify(labels)}`] : []),
    ].join(", "),
    fields: {
      ...(isRenamed && { name: { from: there.name, to: name } }),
      ...(isLonger && { labels: { from: labelsThere, to: labels } }),
    },
    set: {
      ...(isRenamed && { name }),
      ...(isLonger && { attributes: { ...there.attributes, labels } }),
    },
  };
}
