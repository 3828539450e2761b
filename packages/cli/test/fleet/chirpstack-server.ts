// A ChirpStack server that is built from ChirpStack's own definitions, and validates requests as ChirpStack 4 does.
import applicationService from "@chirpstack/chirpstack-api/api/application_grpc_pb.js";
import application from "@chirpstack/chirpstack-api/api/application_pb.js";
import device from "@chirpstack/chirpstack-api/api/device_pb.js";
import service from "@chirpstack/chirpstack-api/api/device_grpc_pb.js";
import profileService from "@chirpstack/chirpstack-api/api/device_profile_grpc_pb.js";
import profile from "@chirpstack/chirpstack-api/api/device_profile_pb.js";
import common from "@chirpstack/chirpstack-api/common/common_pb.js";
import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { onTestFinished } from "vitest";

/** Ids that exist on the server. */
export interface Known {
  readonly applications: readonly string[];
  readonly profiles: readonly string[];
  /** The profiles for LoRaWAN 1.1. */
  readonly profiles11?: readonly string[];
  /** The profiles for devices that do not join. */
  readonly abpProfiles?: readonly string[];
}

/** Selects the fault of a call before it is handled. With `lost`, the call is carried out and the response is lost. */
export type Fault = (call: string) => "lost" | "unavailable" | undefined;

const { status } = grpc;
const WRITES = new Set(["create", "update", "createKeys"]);

/** Starts the server with the API key of a tenant. It stops at the end of the test. */
export async function startChirpStack(known: Known, apiKey = "token") {
  const devices = new Map<string, device.Device>();
  const keys = new Map<string, device.DeviceKeys>();
  const calls: string[] = [];
  let fault: Fault = () => undefined;

  const handle =
    <Request, Response>(name: string, work: (request: Request) => Response) =>
    (
      { request, metadata }: grpc.ServerUnaryCall<Request, Response>,
      respond: grpc.sendUnaryData<Response>,
    ): void => {
      calls.push(name);
      const end = fault(name);
      try {
        if (metadata.get("authorization")[0] !== `Bearer ${apiKey}`)
          fail(status.UNAUTHENTICATED, "invalid token");
        if (end === "unavailable") fail(status.UNAVAILABLE, "restarting");
        const response = work(request);
        if (end === "lost") fail(status.UNAVAILABLE, "the connection was reset");
        respond(null, response);
      } catch (error) {
        respond(error as grpc.ServiceError);
      }
    };
  /** Rejects access to devices that the tenant does not have, without saying that they are missing. */
  const own = (devEui: string): device.Device =>
    devices.get(devEui) ?? fail(status.UNAUTHENTICATED);

  const server = new grpc.Server();
  server.addService(service.DeviceServiceService as unknown as grpc.ServiceDefinition, {
    create: handle("create", (request: device.CreateDeviceRequest) => {
      const created = checkDevice(request.getDevice(), known);
      if (devices.has(created.getDevEui())) fail(status.ALREADY_EXISTS, "Object already exists");
      devices.set(created.getDevEui(), created);
      return new Empty();
    }),
    update: handle("update", (request: device.UpdateDeviceRequest) => {
      const changed = checkDevice(request.getDevice(), known);
      own(changed.getDevEui());
      devices.set(changed.getDevEui(), changed);
      return new Empty();
    }),
    get: handle("get", (request: device.GetDeviceRequest) => {
      const response = new device.GetDeviceResponse();
      response.setDevice(own(request.getDevEui()));
      return response;
    }),
    list: handle("list", (request: device.ListDevicesRequest) => {
      checkApplication(request.getApplicationId(), known);
      const found = [...devices.values()]
        .filter((each) => each.getApplicationId() === request.getApplicationId())
        .toSorted((a, b) => (a.getDevEui() < b.getDevEui() ? -1 : 1));
      const response = new device.ListDevicesResponse();
      response.setTotalCount(found.length);
      const [start, length] = [request.getOffset(), request.getLimit()];
      response.setResultList(
        found.slice(start, start + length).map((each) => {
          const item = new device.DeviceListItem();
          item.setDevEui(each.getDevEui());
          item.setName(each.getName());
          return item;
        }),
      );
      return response;
    }),
    createKeys: handle("createKeys", (request: device.CreateDeviceKeysRequest) => {
      const created = request.getDeviceKeys() ?? fail(status.INVALID_ARGUMENT, "keys are missing");
      own(created.getDevEui());
      if (!/^[0-9a-f]{32}$/.test(created.getNwkKey()))
        fail(status.INTERNAL, `nwk_key is wrong: ${created.getNwkKey()}`);
      if (created.getAppKey() !== "") fail(status.INVALID_ARGUMENT, "app_key is of LoRaWAN 1.1");
      if (keys.has(created.getDevEui())) fail(status.ALREADY_EXISTS, "Object already exists");
      keys.set(created.getDevEui(), created);
      return new Empty();
    }),
    getKeys: handle("getKeys", (request: device.GetDeviceKeysRequest) => {
      own(request.getDevEui());
      const response = new device.GetDeviceKeysResponse();
      response.setDeviceKeys(keys.get(request.getDevEui()) ?? fail(status.NOT_FOUND, "no keys"));
      return response;
    }),
  });
  server.addService(
    applicationService.ApplicationServiceService as unknown as grpc.ServiceDefinition,
    {
      get: handle("getApplication", (request: application.GetApplicationRequest) => {
        checkApplication(request.getId(), known);
        return new application.GetApplicationResponse();
      }),
    },
  );
  server.addService(
    profileService.DeviceProfileServiceService as unknown as grpc.ServiceDefinition,
    {
      get: handle("getProfile", (request: profile.GetDeviceProfileRequest) => {
        const id = request.getId();
        const { MacVersion } = common;
        const is11 = known.profiles11?.includes(id) === true;
        const isAbp = known.abpProfiles?.includes(id) === true;
        if (!is11 && !isAbp && !known.profiles.includes(id)) fail(status.UNAUTHENTICATED);
        const found = new profile.DeviceProfile();
        found.setMacVersion(is11 ? MacVersion.LORAWAN_1_1_0 : MacVersion.LORAWAN_1_0_3);
        found.setSupportsOtaa(!isAbp);
        const response = new profile.GetDeviceProfileResponse();
        response.setDeviceProfile(found);
        return response;
      }),
    },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  onTestFinished(() => server.forceShutdown());
  return {
    url: `http://127.0.0.1:${port}`,
    apiKey,
    devices,
    keys,
    setFault: (next: Fault = () => undefined) => (fault = next),
    writes: () => calls.filter((name) => WRITES.has(name)).length,
    forget: () => (calls.length = 0),
  };
}

function checkDevice(given: device.Device | undefined, known: Known): device.Device {
  const created = given ?? fail(status.INVALID_ARGUMENT, "device is missing");
  for (const eui of [created.getDevEui(), created.getJoinEui()])
    if (!/^[0-9a-f]{16}$/.test(eui)) fail(status.INTERNAL, `${eui} is not an EUI`);
  checkApplication(created.getApplicationId(), known);
  if (!known.profiles.includes(created.getDeviceProfileId()))
    fail(status.NOT_FOUND, "the device profile is not known");
  if (created.getName() === "") fail(status.INVALID_ARGUMENT, "name is not set");
  return created;
}

function checkApplication(id: string, { applications }: Known): void {
  if (!applications.includes(id)) fail(status.UNAUTHENTICATED);
}

function fail(code: grpc.status, details = ""): never {
  throw Object.assign(new Error(details), { code, details });
}
