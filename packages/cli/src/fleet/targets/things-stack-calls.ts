import { ApiError, STATUS } from "@fieldmesh/http/internal";
import { createOnce } from "../runs/create-once.ts";
import type { Change, Difference } from "./target-server.ts";
import type { EndDevice } from "./things-stack.ts";
import {
  toTargetError,
  type EndDeviceInput,
  type EndDeviceRecord,
  type ThingsStackClient,
} from "./things-stack-client.ts";

/** A deployment whose servers share an address. */
export interface Deployment {
  readonly client: ThingsStackClient;
  readonly url: URL;
  /** The API key, which no error quotes. */
  readonly key: string;
  readonly signal: AbortSignal;
}

/** Where a device is, or will be. */
export interface Place {
  readonly application_id: string;
  readonly device_id: string;
}

type Fields = Omit<EndDeviceInput["end_device"], "ids">;
type Setter = "update" | "setJoin" | "setNetwork" | "setApplication";
type Getter = "get" | "getJoin" | "getNetwork" | "getApplication";

const ID_PATHS = ["ids.device_id", "ids.dev_eui", "ids.join_eui"];

/** Returns the calls for one device. The Identity Server stores its name, and each of the other three servers what that server needs. */
export function thingsStackCalls(
  { client, url, key, signal }: Deployment,
  { application_id, device_id }: Place,
  wanted: EndDevice,
) {
  const { name, attributes, root_keys } = wanted;
  const { lorawan_version, lorawan_phy_version, frequency_plan_id } = wanted;
  const path = { application_id, device_id };
  const ids = { ...wanted.ids, device_id, application_ids: { application_id } };
  const { hostname } = url;
  const servers = { network_server_address: hostname, application_server_address: hostname };
  const join_server_address = wanted.join_server_address ?? hostname;

  const fail = (error: unknown): never => {
    throw toTargetError(error, url, signal, [key, root_keys.app_key.key]);
  };
  async function read(call: Getter, field_mask?: string): Promise<EndDeviceRecord | undefined> {
    try {
      return await client[call]({ ...path, ...(field_mask && { field_mask }) }, { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === STATUS.notFound) return undefined;
      return fail(error);
    }
  }
  const set = (
    difference: Difference,
    call: Setter,
    fields: Fields,
    paths: readonly string[],
  ): Change => ({
    ...difference,
    async make() {
      const input = { ...path, end_device: { ids, ...fields }, field_mask: { paths: [...paths] } };
      await client[call](input, { signal }).catch(fail);
    },
  });
  async function create(): Promise<void> {
    const end_device = {
      ids,
      name,
      ...(attributes !== undefined && { attributes: { ...attributes } }),
      ...servers,
      join_server_address,
    };
    await createOnce({
      context: { signal },
      create: () => client.create({ application_id, end_device }, { signal }),
      find: () => read("get"),
      settleTime: 0,
    }).catch(fail);
  }

  const version = { lorawan_version, lorawan_phy_version, frequency_plan_id };
  return {
    /** `undefined` if another Join Server stores the key. */
    addKey:
      hostOf(join_server_address) === hostname
        ? set(
            { what: "add its key", fields: { app_key: {} } },
            "setJoin",
            { ...servers, root_keys },
            [...ID_PATHS, ...Object.keys(servers), "root_keys.app_key.key"],
          )
        : undefined,
    addToNetwork: set(
      { what: "add it to the Network Server" },
      "setNetwork",
      { ...version, supports_join: true },
      [...ID_PATHS, ...Object.keys(version), "supports_join"],
    ),
    addToApplication: set(
      { what: "add it to the Application Server" },
      "setApplication",
      {},
      ID_PATHS,
    ),
    create: { what: "create", make: create } satisfies Change,
    update: (
      { what, fields }: Required<Difference>,
      values: Pick<Fields, "name" | "attributes">,
    ): Change => set({ what, fields }, "update", values, Object.keys(values)),
    readKey: async () => (await read("getJoin", "root_keys.app_key.key"))?.root_keys?.app_key?.key,
    readNetwork: () => read("getNetwork", Object.keys(version).join(",")),
    readApplication: () => read("getApplication", ID_PATHS.join(",")),
  };
}

/** Returns the host of an address such as `join.example.com:8884`. */
export function hostOf(address: string): string {
  return address.replace(/:\d+$/, "").toLowerCase();
}
