// A deployment of The Things Stack that is built from its own definitions, and validates requests.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Ajv } from "ajv";
import { onTestFinished } from "vitest";
import { fixture } from "./leaving-fleet.ts";

interface Swagger {
  readonly basePath: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly definitions: Readonly<
    Record<string, { properties?: object; additionalProperties?: boolean }>
  >;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly in: string; readonly schema?: object }[];
}
export interface EndDevice {
  readonly ids: { device_id: string; dev_eui: string; join_eui: string; application_ids: object };
  name?: string;
  attributes?: Record<string, string>;
  lorawan_version?: string;
  lorawan_phy_version?: string;
  frequency_plan_id?: string;
  supports_join?: boolean;
  root_keys?: { app_key?: { key?: string } };
  network_server_address?: string;
}
interface Body {
  readonly end_device: EndDevice;
  readonly field_mask?: { readonly paths: readonly string[] };
}
interface Call {
  readonly operation: string;
  readonly application: string;
  readonly device: string;
  readonly query: URLSearchParams;
  readonly body: Body;
}

/** Selects the fault of a call before it is handled. With `lost`, the call is carried out and the connection breaks. */
export type Fault = (operation: string) => "lost" | 429 | undefined;

const ID = /^(?=.{1,36}$)[a-z0-9](?:-?[a-z0-9]){2,}$/;
const EUI = /^[0-9A-F]{16}$/;
const PLANS = new Set(["EU_863_870_TTN", "US_902_928_FSB_2"]);
const IDS = ["ids.device_id", "ids.dev_eui", "ids.join_eui"];
/** The fields that each server accepts in a field mask, according to its documentation. */
const SETTABLE: Readonly<Record<string, readonly string[]>> = {
  EndDeviceRegistry: ["name", "attributes"],
  NsEndDeviceRegistry: [
    ...IDS,
    "lorawan_version",
    "lorawan_phy_version",
    "frequency_plan_id",
    "supports_join",
  ],
  JsEndDeviceRegistry: [
    ...IDS,
    "network_server_address",
    "application_server_address",
    "root_keys.app_key.key",
  ],
  AsEndDeviceRegistry: IDS,
};

class Rejection extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Starts the server. It stops at the end of the test. */
export async function startThingsStack(applications: readonly string[], apiKey = "NNSXS.KEY") {
  const swagger = JSON.parse(fixture("things-stack.definitions.json")) as Swagger;
  for (const each of Object.values(swagger.definitions))
    if (each.properties) each.additionalProperties = false;
  const ajv = new Ajv({ strict: false });
  const routes = Object.entries(swagger.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const schema = operation.parameters.find((each) => each.in === "body")?.schema;
      const { definitions } = swagger;
      return {
        method: method.toUpperCase(),
        pattern: new RegExp(`^${swagger.basePath}${path.replace(/\{[^}]+\}/g, "([^/]+)")}$`),
        operation: operation.operationId,
        check: schema === undefined ? undefined : ajv.compile({ definitions, ...schema }),
      };
    }),
  );
  /** The devices of each server, by application and id. */
  const held: Record<string, Map<string, EndDevice>> = {
    EndDeviceRegistry: new Map(),
    NsEndDeviceRegistry: new Map(),
    JsEndDeviceRegistry: new Map(),
    AsEndDeviceRegistry: new Map(),
  };
  let writes = 0;
  let fault: Fault = () => undefined;

  const server = createServer((request, response) => {
    void handle(request).then(({ status, body, isLost, headers }) => {
      if (isLost) request.socket.destroy();
      else response.writeHead(status, headers).end(JSON.stringify(body));
    });
  });
  async function handle(request: IncomingMessage) {
    const url = new URL(request.url ?? "", "http://localhost");
    const sent = await text(request);
    const route = routes.find(
      ({ method, pattern }) => method === request.method && pattern.test(url.pathname),
    );
    const headers = { "content-type": "application/json" };
    if (route === undefined)
      return { status: 404, body: { code: 5, message: "Not Found" }, isLost: false, headers };
    if (route.method !== "GET") writes++;
    const end = fault(route.operation);
    if (end === 429)
      return {
        status: 429,
        body: { code: 8, message: "error:pkg/ratelimit:exceeded (rate limit exceeded)" },
        isLost: false,
        headers: { ...headers, "x-rate-limit-retry": "1" },
      };
    try {
      if (request.headers.authorization !== `Bearer ${apiKey}`)
        throw new Rejection(401, "unauthenticated");
      const [, application = "", device = ""] = route.pattern.exec(url.pathname) ?? [];
      if (!applications.includes(application)) throw new Rejection(403, "no application rights");
      const body = (sent === "" ? {} : JSON.parse(sent)) as Body;
      if (route.check?.(body) === false)
        throw new Rejection(400, ajv.errorsText(route.check.errors));
      const { operation } = route;
      const call: Call = {
        operation,
        application,
        device: device ?? "",
        query: url.searchParams,
        body,
      };
      return { status: 200, body: serve(held, call), isLost: end === "lost", headers };
    } catch (error) {
      const { message } = error as Error;
      const status = error instanceof Rejection ? error.status : 500;
      const details = { code: status, message: `error:pkg/server:name (${message})` };
      return { status, body: details, isLost: false, headers };
    }
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    held,
    setFault: (next: Fault = () => undefined) => (fault = next),
    writes: () => writes,
  };
}

function serve(
  held: Readonly<Record<string, Map<string, EndDevice>>>,
  { operation, application, device, query, body }: Call,
): object {
  const [registry = "", verb = ""] = operation.split("_");
  const devices = held[registry] ?? new Map<string, EndDevice>();
  const all = held["EndDeviceRegistry"] ?? devices;
  const key = `${application}/${device}`;
  if (verb === "List") {
    const [limit, page] = [Number(query.get("limit")), Number(query.get("page"))];
    if (!(limit > 0 && limit <= 1_000 && page > 0)) throw new Rejection(400, "no such page");
    const found = [...all].filter(([id]) => id.startsWith(`${application}/`));
    const shown = found.slice((page - 1) * limit, page * limit).map(([, each]) => each);
    return shown.length === 0 ? {} : { end_devices: shown };
  }
  if (verb === "Get") {
    const found = devices.get(key) ?? reject(404, "entity not found");
    const { ids } = found;
    return { ids, ...fieldsOf(found, (query.get("field_mask") ?? "").split(",")) };
  }
  const { end_device, field_mask } = body;
  const { ids, name = "", attributes = {} } = end_device;
  const { application_id } = ids.application_ids as { application_id?: string };
  if (application_id !== application) throw new Rejection(400, "another application");
  if (!ID.test(ids.device_id)) throw new Rejection(400, "device_id is wrong");
  if (!EUI.test(ids.dev_eui) || !EUI.test(ids.join_eui))
    throw new Rejection(400, "an EUI is wrong");
  if (Array.from(name).length > 50) throw new Rejection(400, "name is too long");
  for (const [attribute, value] of Object.entries(attributes))
    if (!ID.test(attribute) || value.length > 200) throw new Rejection(400, "attributes are wrong");
  if (verb === "Create") {
    for (const each of all.values())
      if (each.ids.dev_eui === ids.dev_eui && each.ids.join_eui === ids.join_eui)
        throw new Rejection(409, `already registered as ${each.ids.device_id}`);
    const foreign = Object.keys(end_device).filter(
      (field) => !/^(ids|name|attributes|.*_server_address)$/.test(field),
    );
    if (foreign.length > 0) throw new Rejection(400, `${foreign.join()} is of another server`);
    all.set(`${application}/${ids.device_id}`, end_device);
    return end_device;
  }
  if (ids.device_id !== device) throw new Rejection(400, "another device");
  const known = all.get(key) ?? reject(404, "entity not found");
  if (known.ids.dev_eui !== ids.dev_eui) throw new Rejection(400, "another dev_eui");
  const paths = field_mask?.paths ?? [];
  const wrong = paths.filter((path) => SETTABLE[registry]?.includes(path) !== true);
  if (paths.length === 0 || wrong.length > 0)
    throw new Rejection(400, `forbidden paths: ${wrong.join()}`);
  checkServer(registry, end_device, paths);
  const next = { ...devices.get(key), ...fieldsOf(end_device, paths), ids };
  devices.set(key, next);
  return next;
}

/** Returns the fields of a device that a field mask names. */
function fieldsOf(device: EndDevice, paths: readonly string[]): Partial<EndDevice> {
  const names = new Set(paths.map((path) => path.split(".")[0]));
  return Object.fromEntries(Object.entries(device).filter(([name]) => names.has(name)));
}

/** Validates a device that joins as the Network Server and the Join Server do. */
function checkServer(registry: string, device: EndDevice, paths: readonly string[]): void {
  if (registry === "NsEndDeviceRegistry") {
    if (!PLANS.has(device.frequency_plan_id ?? "")) throw new Rejection(400, "no frequency plan");
    if (device.lorawan_version?.startsWith("MAC_V1_0") !== true || device.supports_join !== true)
      throw new Rejection(400, "one key is of LoRaWAN 1.0.x and of a device that joins");
    if (!/^(PHY|RP002)_V/.test(device.lorawan_phy_version ?? ""))
      throw new Rejection(400, "lorawan_phy_version is wrong");
  }
  if (registry === "JsEndDeviceRegistry") {
    const key = device.root_keys?.app_key?.key ?? "";
    if (!paths.includes("root_keys.app_key.key") || !/^[0-9A-F]{32}$/.test(key))
      throw new Rejection(400, `app_key is wrong: ${key}`);
  }
}

function reject(status: number, message: string): never {
  throw new Rejection(status, message);
}
