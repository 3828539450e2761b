import { recordOf } from "@fieldmesh/core/internal";
import { record, secret, secretInput } from "@fieldmesh/core/internal/schema";
import {
  ApiError,
  bind,
  CallError,
  createTransport,
  endpoint,
  type Service,
  STATUS,
} from "@fieldmesh/http/internal";
import * as z from "@fieldmesh/core/internal/zod";
import { jsonOrUndefined } from "@fieldmesh/sandbox/internal";
import manifest from "../../../package.json" with { type: "json" };
import { CliError, exitCodes } from "../../exit-codes.ts";
import { RejectedError, saidBy, type ServerOptions } from "./target-server.ts";

const text = z.string();
const ids = z.strictObject({
  application_ids: z.strictObject({ application_id: text }),
  device_id: text,
  dev_eui: text,
  join_eui: text,
});
/** What both a request and a response hold. */
const common = {
  name: z.optional(text),
  attributes: z.optional(z.record(text, text)),
  lorawan_version: z.optional(text),
  lorawan_phy_version: z.optional(text),
  frequency_plan_id: z.optional(text),
};
const body = z.strictObject({
  end_device: z.strictObject({
    ids,
    ...common,
    network_server_address: z.optional(text),
    application_server_address: z.optional(text),
    join_server_address: z.optional(text),
    supports_join: z.optional(z.boolean()),
    root_keys: z.optional(z.strictObject({ app_key: z.strictObject({ key: secretInput(text) }) })),
  }),
  /** Of an update: what of the device is set. */
  field_mask: z.optional(z.strictObject({ paths: z.array(text) })),
});
const endDevice = record({
  ids: record({ device_id: text, dev_eui: z.optional(text), join_eui: z.optional(text) }),
  ...common,
  root_keys: z.optional(record({ app_key: z.optional(record({ key: z.optional(secret()) })) })),
});

/** A device, as one of the servers of a deployment returns it. */
export interface EndDeviceRecord extends z.output<typeof endDevice> {}
/** What is sent of a device. */
export interface EndDeviceInput extends z.output<typeof body> {}

const application = { application_id: text };
const path = { ...application, device_id: text };
const query = { field_mask: z.optional(text) };
const get = { path, query, result: endDevice };
const set = { path, body, result: endDevice };

/** Each of the four servers knows a part of a device. */
const rows = {
  list: endpoint("GET /applications/:application_id/devices", {
    path: application,
    query: { ...query, limit: z.int(), page: z.int() },
    result: record({ end_devices: z.optional(z.array(endDevice)) }),
  }),
  get: endpoint("GET /applications/:application_id/devices/:device_id", get),
  create: endpoint("POST /applications/:application_id/devices", {
    path: application,
    body,
    result: endDevice,
  }),
  update: endpoint("PUT /applications/:application_id/devices/:device_id", set),
  getNetwork: endpoint("GET /ns/applications/:application_id/devices/:device_id", get),
  setNetwork: endpoint("PUT /ns/applications/:application_id/devices/:device_id", set),
  getJoin: endpoint("GET /js/applications/:application_id/devices/:device_id", get),
  setJoin: endpoint("PUT /js/applications/:application_id/devices/:device_id", set),
  getApplication: endpoint("GET /as/applications/:application_id/devices/:device_id", get),
  setApplication: endpoint("PUT /as/applications/:application_id/devices/:device_id", set),
};

const SECOND = 1_000;
const service: Service = {
  name: "The Things Stack",
  readError: ({ body: sent }) => ({ message: reasonOf(sent) }),
  readRetryHint({ headers }) {
    const seconds = Number(headers.get("x-rate-limit-retry") ?? Number.NaN);
    return seconds > 0 ? seconds * SECOND : undefined;
  },
};

/** Creates the calls of The Things Stack's HTTP API that a fleet needs. */
export function createThingsStackClient({ url, key }: Pick<ServerOptions, "url" | "key">) {
  const transport = createTransport(
    { baseUrl: `${url.origin}/api/v3` },
    {
      service,
      credential: { option: "the key", header: "authorization", prefix: "Bearer ", value: key },
      userAgent: `fieldmesh-cli/${manifest.version}`,
    },
  );
  return bind("devices", rows, transport);
}

export type ThingsStackClient = ReturnType<typeof createThingsStackClient>;

/** Turns an error of a call into that of a device, or into that which ends the run. */
export function toTargetError(
  error: unknown,
  { origin }: URL,
  signal: AbortSignal,
  secrets: readonly string[],
): unknown {
  if (!(error instanceof CallError) || signal.aborted) return error;
  const there = `The Things Stack at ${origin}`;
  if (!(error instanceof ApiError)) {
    const failure = error.attempts.at(-1)?.failure ?? error.name;
    return new CliError(
      `${there} sent no usable response: ${failure}. Check the address.`,
      exitCodes.failed,
    );
  }
  const said = saidBy(reasonOf(error.body.reveal()), secrets) ?? "it does not say why";
  if (error.status === STATUS.unauthorized)
    return new CliError(`${there} rejects the key: ${said}. Check the key.`);
  if (error.status === STATUS.forbidden)
    return new CliError(
      `${there} does not allow the key to do this: ${said}. Use a key with the rights to view and edit devices and their keys.`,
    );
  if (error.status < STATUS.internalError && error.status !== STATUS.tooManyRequests)
    return new RejectedError(said);
  return new CliError(
    `${there} failed with ${error.status}: ${said}. Run the command again later.`,
    exitCodes.failed,
  );
}

/** What a server says, such as `error:pkg/identityserver:euis_taken (an end device … is already registered)`. */
function reasonOf(sent: string): string | undefined {
  const { message } = recordOf(jsonOrUndefined(sent));
  if (typeof message !== "string") return undefined;
  // The reason is in parentheses at the end.
  const start = message.endsWith(")") ? message.indexOf("(") : -1;
  return start < 0 ? message : message.slice(start + 1, -1);
}
