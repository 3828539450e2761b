import applicationMessages from "@chirpstack/chirpstack-api/api/application_pb.js";
import profileMessages from "@chirpstack/chirpstack-api/api/device_profile_pb.js";
import messages from "@chirpstack/chirpstack-api/api/device_pb.js";
import common from "@chirpstack/chirpstack-api/common/common_pb.js";
import type { FieldChanges, PlanFact } from "../plan/plan-lines.ts";
import { chirpstack, type DeviceBody, type KeysBody } from "./chirpstack.ts";
import { createChirpStackClient, ExistsError, NoAccessError } from "./chirpstack-client.ts";
import { addLabels } from "./target.ts";
import {
  differenceOf,
  RejectedError,
  type Change,
  type Comparison,
  type Reading,
  type ServerOptions,
  type TargetServer,
  type Wanted,
} from "./target-server.ts";

type Client = ReturnType<typeof createChirpStackClient>;

const PAGE = 500;
const NO_EUI = "0".repeat(16);

/** Opens a ChirpStack v4 server. Comparing a device costs two calls; one that is missing costs none. */
export function openChirpStack(options: ServerOptions): TargetServer {
  const client = createChirpStackClient(options);
  return { read: (wanted) => readChirpStack(client, wanted), close: client.close };
}

async function readChirpStack(client: Client, wanted: readonly Wanted[]): Promise<Reading> {
  const open = await findMismatches(client, wanted);
  const applicationOf = new Map<string, string>();
  if (open.length === 0)
    for (const id of valuesOf(wanted, "application_id"))
      for (const devEui of await listDevices(client, id)) applicationOf.set(devEui, id);
  return { open, compare: (each) => compare(client, each, applicationOf) };
}

type Named = "application_id" | "device_profile_id";

function valuesOf(wanted: readonly Wanted[], name: Named): Set<string> {
  return new Set(wanted.flatMap(({ settings }) => settings[name]?.toLowerCase() ?? []));
}

/** Finds what the mapping file names but ChirpStack does not have, and profiles that cannot be used. */
async function findMismatches(client: Client, wanted: readonly Wanted[]): Promise<PlanFact[]> {
  const open: PlanFact[] = [];
  for (const id of valuesOf(wanted, "application_id")) {
    const request = new applicationMessages.GetApplicationRequest();
    request.setId(id);
    if ((await findOrNone(client.getApplication(request))) === undefined)
      open.push({
        kind: "application_id",
        name: id,
        what: "ChirpStack has no such application for this key",
      });
  }
  for (const id of valuesOf(wanted, "device_profile_id")) {
    const request = new profileMessages.GetDeviceProfileRequest();
    request.setId(id);
    const profile = (await findOrNone(client.getProfile(request)))?.getDeviceProfile();
    const what = profileProblem(profile);
    if (what !== undefined) open.push({ kind: "device_profile_id", name: id, what });
  }
  return open;
}

function profileProblem(profile: profileMessages.DeviceProfile | undefined): string | undefined {
  if (profile === undefined) return "ChirpStack has no such device profile for this key";
  if (profile.getMacVersion() === common.MacVersion.LORAWAN_1_1_0)
    return "it is for LoRaWAN 1.1, which needs a second key; choose one for 1.0.x";
  return profile.getSupportsOtaa()
    ? undefined
    : "it is for devices that do not join; choose one for OTAA";
}

async function findOrNone<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof NoAccessError) return undefined;
    throw error;
  }
}

/** Lists the EUIs of an application. A request for a single missing device fails in the same way as one with a wrong key. */
async function listDevices(client: Client, application: string): Promise<string[]> {
  const euis: string[] = [];
  for (;;) {
    const request = new messages.ListDevicesRequest();
    request.setApplicationId(application);
    request.setOrderBy(messages.ListDevicesRequest.OrderBy.DEV_EUI);
    request.setLimit(PAGE);
    request.setOffset(euis.length);
    const page = (await client.list(request)).getResultList();
    euis.push(...page.map((device) => device.getDevEui()));
    if (page.length < PAGE) return euis;
  }
}

async function compare(
  client: Client,
  { device, settings }: Wanted,
  applicationOf: ReadonlyMap<string, string>,
): Promise<Comparison> {
  const [{ device: body }, { deviceKeys }] = chirpstack.write(device, settings);
  const appKey = deviceKeys.nwkKey;
  const addKeys: Change = {
    what: "add its key",
    fields: { app_key: {} },
    make: () => createKeys(client, deviceKeys),
  };
  const application = applicationOf.get(body.devEui);
  if (application === undefined) {
    const make = () => createDevice(client, body, appKey);
    return { isNew: true, changes: [{ what: "create", make }, addKeys], byHand: [] };
  }
  const there = await getDevice(client, body.devEui, appKey);
  const changes: Change[] = [];
  const applications = [application, body.applicationId] as const;
  const profiles = [there.getDeviceProfileId(), body.deviceProfileId] as const;
  const joinEui = there.getJoinEui() || NO_EUI;
  const joinEuis = [joinEui, body.joinEui] as const;
  const byHand = [
    ...differenceOf("application_id", applications, `it is in the application ${application}`),
    ...differenceOf("device_profile_id", profiles, `its device profile is ${profiles[0]}`),
    ...(joinEui === NO_EUI ? [] : differenceOf("join_eui", joinEuis, `its join_eui is ${joinEui}`)),
  ];
  const tag = there.getTagsMap().get("labels");
  const labels = addLabels(tag, device);
  const names = [there.getName(), body.name] as const;
  const states = [there.getIsDisabled(), body.isDisabled] as const;
  const setLabels = `set its tag labels to ${JSON.stringify(labels)}`;
  const differences = [
    ...differenceOf("name", names, `name it ${JSON.stringify(body.name)}`),
    ...differenceOf("is_disabled", states, body.isDisabled ? "disable" : "enable"),
    ...(joinEui === NO_EUI ? differenceOf("join_eui", joinEuis, "set its join_eui") : []),
    ...(labels === undefined ? [] : differenceOf("labels", [tag, labels], setLabels)),
  ];
  if (differences.length > 0) {
    // An update replaces the whole device, so fields that the fleet lacks are sent unchanged.
    there.setName(body.name);
    there.setIsDisabled(body.isDisabled);
    if (joinEui === NO_EUI) there.setJoinEui(body.joinEui);
    if (labels !== undefined) there.getTagsMap().set("labels", labels);
    const request = new messages.UpdateDeviceRequest();
    request.setDevice(there);
    changes.push({
      what: differences.map(({ what }) => what).join(", "),
      fields: Object.assign({}, ...differences.map(({ fields }) => fields)) as FieldChanges,
      make: async () => void (await client.update(request, appKey)),
    });
  }
  const keyRequest = new messages.GetDeviceKeysRequest();
  keyRequest.setDevEui(body.devEui);
  const keys = (await findOrNone(client.getKeys(keyRequest, appKey)))?.getDeviceKeys();
  if (keys === undefined) changes.push(addKeys);
  else if (keys.getNwkKey() !== appKey)
    byHand.push({ what: "it has another key", fields: { app_key: {} } });
  return { isNew: false, changes, byHand };
}

async function getDevice(client: Client, devEui: string, appKey: string): Promise<messages.Device> {
  const request = new messages.GetDeviceRequest();
  request.setDevEui(devEui);
  const device = (await client.get(request, appKey)).getDevice();
  if (device === undefined) throw new RejectedError("the server does not show it");
  return device;
}

async function createDevice(client: Client, body: DeviceBody, appKey: string): Promise<void> {
  const device = new messages.Device();
  device.setDevEui(body.devEui);
  device.setName(body.name);
  device.setApplicationId(body.applicationId);
  device.setDeviceProfileId(body.deviceProfileId);
  device.setIsDisabled(body.isDisabled);
  device.setJoinEui(body.joinEui);
  for (const [name, value] of Object.entries(body.tags)) device.getTagsMap().set(name, value);
  const request = new messages.CreateDeviceRequest();
  request.setDevice(device);
  try {
    await client.create(request, appKey);
  } catch (error) {
    if (!(error instanceof ExistsError)) throw error;
    // Either the response to an earlier call was lost, or the device exists elsewhere.
    const there = await findOrNone(getDevice(client, body.devEui, appKey));
    if (there?.getApplicationId() !== body.applicationId)
      throw new RejectedError(
        there === undefined
          ? "another tenant has a device with its dev_eui"
          : `it is in the application ${there.getApplicationId()}`,
      );
  }
}

async function createKeys(client: Client, { devEui, nwkKey }: KeysBody): Promise<void> {
  const keys = new messages.DeviceKeys();
  keys.setDevEui(devEui);
  keys.setNwkKey(nwkKey);
  const request = new messages.CreateDeviceKeysRequest();
  request.setDeviceKeys(keys);
  try {
    await client.createKeys(request, nwkKey);
  } catch (error) {
    // The response to an earlier call was lost. The comparison after the apply shows the outcome.
    if (!(error instanceof ExistsError)) throw error;
  }
}
