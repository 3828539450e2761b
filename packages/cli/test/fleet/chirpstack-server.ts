// A ChirpStack that is made from its own definitions, and checks what they mean.
import device from "@chirpstack/chirpstack-api/api/device_pb.js";
import service from "@chirpstack/chirpstack-api/api/device_grpc_pb.js";
import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";

/** Ids that exist there. */
export interface Known {
  readonly applications: readonly string[];
  readonly profiles: readonly string[];
}

interface DeviceBody {
  readonly devEui: string;
  readonly name: string;
  readonly applicationId: string;
  readonly deviceProfileId: string;
  readonly isDisabled: boolean;
  readonly joinEui: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** One line of an export. */
export type Body =
  | { readonly device: DeviceBody }
  | { readonly deviceKeys: { readonly devEui: string; readonly nwkKey: string } };

/** Starts the server; `send` sends a line to it with the client of the same definitions. */
export async function startChirpStack({ applications, profiles }: Known) {
  const devices = new Map<string, device.Device.AsObject>();
  const keys = new Map<string, device.DeviceKeys.AsObject>();
  const server = new grpc.Server();
  server.addService(service.DeviceServiceService as unknown as grpc.ServiceDefinition, {
    create: reply((request: device.CreateDeviceRequest) => {
      const created = request.getDevice()?.toObject();
      if (created === undefined) return "device is missing";
      const { devEui, joinEui, applicationId, deviceProfileId, name } = created;
      if (!/^[0-9a-f]{16}$/.test(devEui) || !/^[0-9a-f]{16}$/.test(joinEui))
        return "an EUI is wrong";
      if (!applications.includes(applicationId)) return "the application is not known";
      if (!profiles.includes(deviceProfileId)) return "the device profile is not known";
      if (name === "") return "the name is missing";
      if (devices.has(devEui)) return "the device exists";
      devices.set(devEui, created);
      return undefined;
    }),
    createKeys: reply((request: device.CreateDeviceKeysRequest) => {
      const created = request.getDeviceKeys()?.toObject();
      if (created === undefined || !devices.has(created.devEui)) return "the device is not known";
      if (!/^[0-9a-f]{32}$/.test(created.nwkKey)) return "nwk_key is wrong";
      if (created.appKey !== "") return "app_key is of LoRaWAN 1.1";
      if (keys.has(created.devEui)) return "the keys exist";
      keys.set(created.devEui, created);
      return undefined;
    }),
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  const client = new service.DeviceServiceClient(
    `127.0.0.1:${port}`,
    grpc.credentials.createInsecure(),
  );
  const send = (body: Body): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const done = (error: Error | null): void =>
        error === null ? resolve(undefined) : reject(error);
      if ("device" in body) client.create(toDevice(body.device), done);
      else client.createKeys(toKeys(body.deviceKeys), done);
    });
  return { devices, keys, send, close: () => (client.close(), server.forceShutdown()) };
}

function toDevice({ tags, ...body }: DeviceBody): device.CreateDeviceRequest {
  const made = new device.Device();
  made.setDevEui(body.devEui);
  made.setName(body.name);
  made.setApplicationId(body.applicationId);
  made.setDeviceProfileId(body.deviceProfileId);
  made.setIsDisabled(body.isDisabled);
  made.setJoinEui(body.joinEui);
  for (const [name, value] of Object.entries(tags)) made.getTagsMap().set(name, value);
  const request = new device.CreateDeviceRequest();
  request.setDevice(made);
  return request;
}

function toKeys({
  devEui,
  nwkKey,
}: {
  devEui: string;
  nwkKey: string;
}): device.CreateDeviceKeysRequest {
  const made = new device.DeviceKeys();
  made.setDevEui(devEui);
  made.setNwkKey(nwkKey);
  const request = new device.CreateDeviceKeysRequest();
  request.setDeviceKeys(made);
  return request;
}

function reply<Request>(check: (request: Request) => string | undefined) {
  return (
    call: { request: Request },
    respond: (error: object | null, value?: Empty) => void,
  ): void => {
    const problem = check(call.request);
    if (problem === undefined) respond(null, new Empty());
    else respond({ code: grpc.status.INVALID_ARGUMENT, details: problem });
  };
}
