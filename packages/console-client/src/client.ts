import { anything, CheckpointError, hashText, memberOf, options } from "@fieldmesh/core/internal";
import {
  bind,
  bindClient,
  checkCallOptionNames,
  clientTable,
  createTransport,
  type ClientMethods,
  type ClientOptions,
  type EachOptions,
  type KeyOption,
  type Transport,
  warn,
} from "@fieldmesh/http/internal";
import manifest from "../package.json" with { type: "json" };
import { bindChanges } from "./bulk/change-many.ts";
import { createMany } from "./bulk/create-many.ts";
import type { ReadTarget } from "./bulk/run/start-run.ts";
import { bindCreate } from "./look-up-created.ts";
import { Device } from "./device.ts";
import { devices, type Devices } from "./devices.ts";
import { followEvents } from "./follow/follow-events.ts";
import type { FollowTarget } from "./follow/follow-types.ts";
import { flows, type Flows } from "./flows.ts";
import { bindIntegrations, type Integrations } from "./integrations.ts";
import { bindLabels, type Labels } from "./labels.ts";
import { organization, type OrganizationResource } from "./organization.ts";
import { consoleService } from "./service.ts";

const HEX = 16;

/** Options of {@link createConsoleClient}. */
export interface ConsoleClientOptions extends ClientOptions {
  /**
   * The API key of the organization, as a string or a Secret. Create it in the user interface of the console, which shows it
   * once. It works after you have opened the link in the confirmation email.
   *
   * A function that returns the key is called before the first request, and again by a call that receives a 401. The key can
   * therefore change without a restart.
   */
  apiKey: KeyOption;
}

/** The client of the device console, by resource. */
export interface ConsoleClient extends ClientMethods<ConsoleClient, ConsoleClientOptions> {
  readonly organization: OrganizationResource;
  readonly devices: Devices;
  readonly labels: Labels;
  readonly integrations: Integrations;
  readonly flows: Flows;
}

/**
 * Creates a client of the device console. It sends nothing until you call a method.
 *
 * Throws a TypeError, which never shows the key, for invalid options. The specification says that the console API is not fully
 * current with a later migration of the network: test your deployment before you rely on it.
 *
 * @example
 * ```ts
 * const client = createConsoleClient({ baseUrl: "https://console.example.com", apiKey: process.env.CONSOLE_KEY! });
 * const labels = await client.labels.list();
 * ```
 */
export function createConsoleClient(given: ConsoleClientOptions): ConsoleClient {
  return create(given);
}

const readOptions = /* @__PURE__ */ options<ConsoleClientOptions>("createConsoleClient", {
  ...clientTable,
  apiKey: { required: anything },
});

function create(given: ConsoleClientOptions, parent?: Transport): ConsoleClient {
  const settings = readOptions(given);
  const transport = createTransport(settings, {
    service: consoleService,
    parent,
    credential: { option: "apiKey", header: "key", value: settings.apiKey },
    userAgent: `${manifest.name.replace("@", "").replace("/", "-")}/${manifest.version}`,
  });
  const organizations = bind("organization", organization, transport);
  return {
    organization: organizations,
    devices: bindDevices(transport, async (callOptions) => ({
      server: transport.server,
      organization: hashOrganization(await organizations.list(callOptions)),
    })),
    labels: bindLabels(transport),
    integrations: bindIntegrations(transport),
    flows: bind("flows", flows, transport),
    ...bindClient(transport, settings, create),
  };
}

/** With `validation: "off"`, the list may be anything. */
function hashOrganization(list: unknown): string {
  const ids = (Array.isArray(list) ? list : []).map((each) => memberOf(each, "id"));
  if (ids.length === 0 || !ids.every((id) => typeof id === "string" && id !== ""))
    throw new CheckpointError(
      "no_organization",
      "organization.list contains no id, and a checkpoint needs one: run without checkpoints, or ask the operator of the console.",
    );
  return hashText(ids.join()).toString(HEX);
}

const deviceList = {
  endpoint: { call: "devices.each", row: devices.list },
  record: Device,
};

async function* readEach(transport: Transport, own: EachOptions): AsyncGenerator<Device> {
  const { eachRecord } = await import("@fieldmesh/http/internal/each");
  yield* eachRecord<Device>(transport, deviceList, own);
}

/** Binds the rows and adds the methods for many devices. It is not beside the rows, because who reads only those runs no method. */
function bindDevices(transport: Transport, target: ReadTarget): Devices {
  const methods = bind("devices", devices, transport);
  const { reportDrift, connection, server } = transport;
  const { observedRules, log } = connection.settings;
  const each: Devices["each"] = (own = {}) => {
    checkCallOptionNames(deviceList.endpoint.call, own, []);
    return { [Symbol.asyncIterator]: () => readEach(transport, own) };
  };
  const rows = { ...methods, each };
  const followed: FollowTarget = {
    events: methods.events,
    server,
    warn: (message, fields) => warn(log, message, fields),
  };
  const bulkMethods = { ...rows, observedRules, reportDrift };
  return {
    ...rows,
    follow: (input, own) => followEvents(followed, input, own),
    create: bindCreate(rows, devices.create),
    createMany: (source, own) => createMany(bulkMethods, target, source, own),
    ...bindChanges(rows, target),
  };
}
