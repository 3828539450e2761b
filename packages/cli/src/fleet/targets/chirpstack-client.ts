import applications from "@chirpstack/chirpstack-api/api/application_grpc_pb.js";
import profiles from "@chirpstack/chirpstack-api/api/device_profile_grpc_pb.js";
import devices from "@chirpstack/chirpstack-api/api/device_grpc_pb.js";
import * as grpc from "@grpc/grpc-js";
import { CliError, exitCodes } from "../../exit-codes.ts";
import { RejectedError, saidBy, type ServerOptions } from "./target-server.ts";

/** Milliseconds for one call. */
const DEADLINE = 30_000;
/** gRPC repeats a call that did not arrive, or that the server had no room for. */
const RETRIES = JSON.stringify({
  methodConfig: [
    {
      name: [{}],
      retryPolicy: {
        maxAttempts: 4,
        initialBackoff: "0.2s",
        maxBackoff: "5s",
        backoffMultiplier: 3,
        retryableStatusCodes: ["UNAVAILABLE", "RESOURCE_EXHAUSTED"],
      },
    },
  ],
});

type Unary<Request, Response> = (
  request: Request,
  metadata: grpc.Metadata,
  options: grpc.CallOptions,
  done: grpc.requestCallback<Response>,
) => grpc.ClientUnaryCall;

/**
 * The calls of ChirpStack's API that a fleet needs. Each throws what {@link toError} makes, and accepts the AppKey that no error may
 * quote.
 */
export function createChirpStackClient({ url, key, signal }: ServerOptions) {
  const isSecure = url.protocol === "https:";
  const address = url.port === "" ? `${url.hostname}:${isSecure ? "443" : "80"}` : url.host;
  const credentials = isSecure ? grpc.credentials.createSsl() : grpc.credentials.createInsecure();
  const options = { "grpc.service_config": RETRIES };
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${key}`);
  const clients = {
    devices: new devices.DeviceServiceClient(address, credentials, options),
    applications: new applications.ApplicationServiceClient(address, credentials, options),
    profiles: new profiles.DeviceProfileServiceClient(address, credentials, options),
  };

  const call =
    <Request, Response>(client: grpc.Client, method: Unary<Request, Response>) =>
    (request: Request, appKey?: string): Promise<Response> =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const sent = method.call(
          client,
          request,
          metadata,
          { deadline: Date.now() + DEADLINE },
          (error, response) => {
            signal.removeEventListener("abort", cancel);
            if (error === null && response !== undefined) resolve(response);
            else
              reject(
                signal.aborted
                  ? signal.reason
                  : toError(error, url, [key, ...(appKey === undefined ? [] : [appKey])]),
              );
          },
        );
        const cancel = (): void => sent.cancel();
        signal.addEventListener("abort", cancel);
      });

  /* oxlint-disable typescript/unbound-method -- `call` binds them */
  return {
    getApplication: call(clients.applications, clients.applications.get),
    getProfile: call(clients.profiles, clients.profiles.get),
    list: call(clients.devices, clients.devices.list),
    get: call(clients.devices, clients.devices.get),
    create: call(clients.devices, clients.devices.create),
    update: call(clients.devices, clients.devices.update),
    getKeys: call(clients.devices, clients.devices.getKeys),
    createKeys: call(clients.devices, clients.devices.createKeys),
    close: () => Object.values(clients).forEach((client) => client.close()),
  };
  /* oxlint-enable typescript/unbound-method */
}

/** ChirpStack has no such object, or keeps it from this key: for an object that it does not know it says the same. */
export class NoAccessError extends RejectedError {}
/** ChirpStack has the object already. */
export class ExistsError extends RejectedError {}

/** Turns an error of a call into that of a device, or into that which ends the run. */
export function toError(
  error: grpc.ServiceError | null,
  { origin }: URL,
  secrets: readonly string[],
): Error {
  const { code = grpc.status.UNKNOWN, details = "" } = error ?? {};
  const said = saidBy(details, secrets) ?? "";
  const why = said === "" ? "it does not say why" : said;
  switch (code) {
    case grpc.status.UNAUTHENTICATED:
      // It says why it does not accept a key, and nothing about an object that is not of the key.
      return details === ""
        ? new NoAccessError("the key has no access to it")
        : new CliError(`ChirpStack at ${origin} rejects the key: ${why}. Check the key.`);
    case grpc.status.PERMISSION_DENIED:
    case grpc.status.NOT_FOUND:
      return new NoAccessError(said || "it is not there");
    case grpc.status.ALREADY_EXISTS:
      return new ExistsError(said);
    case grpc.status.UNAVAILABLE:
    case grpc.status.UNIMPLEMENTED:
      return new CliError(
        `ChirpStack at ${origin} does not respond: ${why}. Check the address of its gRPC API.`,
        exitCodes.failed,
      );
    case grpc.status.DEADLINE_EXCEEDED:
    case grpc.status.CANCELLED:
    case grpc.status.RESOURCE_EXHAUSTED:
      return new CliError(
        `ChirpStack at ${origin} did not respond in time. Run the command again.`,
        exitCodes.failed,
      );
    default:
      return new RejectedError(said || grpc.status[code]);
  }
}
