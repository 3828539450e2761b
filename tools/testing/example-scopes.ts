import {
  createConsoleClient,
  isApiError,
  isConfirmedUplinkEvent,
  isIntegrationEvent,
  isObservedEvent,
  isUplinkBody,
  isUplinkEvent,
  parseUtc,
  stringifyJson,
} from "@fieldmesh/console-client";
import {
  ago,
  createLedgerClient,
  formatBones,
  isKnownTransaction,
  nextNonce,
} from "@fieldmesh/ledger-client";
import { createMapperClient } from "@fieldmesh/mapper-client";
import { mapper } from "@fieldmesh/mapper-client/samples";
import { createMobileClient } from "@fieldmesh/mobile-client";
import * as z from "zod";
import type { Sandbox } from "../../packages/sandbox/src/index.ts";
import type { Service, ServiceName } from "../../packages/sandbox/src/services.ts";

const HOUR = 60 * 60 * 1_000;

type Scope = Record<string, unknown>;

/**
 * Fills a sandbox so that the examples of a service find what they name, and returns the values that they use. The
 * examples of a service that is not listed below use its client, and the inputs of its samples.
 */
export async function exampleScope(
  { name, tables, createClient }: Service,
  sandbox: Sandbox,
): Promise<Scope> {
  const prepare = scopes[name];
  if (prepare !== undefined) return await prepare(sandbox);
  const { baseUrl, fetch } = sandbox[name];
  const client = createClient({ baseUrl, fetch, apiKey: apiKeyOf(sandbox, name) });
  const rows = Object.values(tables).flatMap((table) => Object.values(table));
  return Object.assign({ client }, ...rows.map(({ sample }) => sample.input)) as Scope;
}

/** Returns the key of a service, or an empty string for a public one. */
export function apiKeyOf(sandbox: Sandbox, name: ServiceName): string {
  return (sandbox[name] as { readonly apiKey?: string }).apiKey ?? "";
}

const scopes: { readonly [Name in ServiceName]?: (sandbox: Sandbox) => Promise<Scope> } = {
  console: prepareConsole,
  ledger: prepareLedger,
  mobile: async ({ mobile: { baseUrl, fetch, apiKey } }) => {
    const client = createMobileClient({ baseUrl, fetch, apiKey });
    const subscriber_id = idOf(
      await client.subscribers.create({ email: "a@example.com", name: "A" }),
    );
    const id = idOf(await client.subscribers.create({ email: "b@example.com", name: "B" }));
    const plan_id = "plan_1";
    const subscription_id = idOf(await client.subscriptions.create({ subscriber_id, plan_id }));
    return { client, subscriber_id, plan_id, id, subscription_id, z };
  },
  mapper: async ({ mapper: { baseUrl, fetch } }) => ({
    client: createMapperClient({ baseUrl, fetch }),
    uplink: mapper.ingest.input,
  }),
};

/** Returns the values that the examples require: a client, ids of existing records, and values of the caller. */
async function prepareConsole({
  console: { baseUrl, fetch },
  apiKey,
  clock,
}: Sandbox): Promise<Record<string, unknown>> {
  const client = createConsoleClient({ baseUrl, fetch, apiKey });
  const label = await client.labels.create({ name: "Pumps" });
  const euis = {
    dev_eui: "0004A30B001C0999",
    app_eui: "70B3D57ED0000001",
    app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
  };
  const device = await client.devices.create({ name: "Tank", ...euis });
  const integration = await client.integrations.createPrebuilt({
    name: "Archive",
    type: "partner1",
    token: "t",
  });
  await client.flows.create({ integration_id: integration.id, device_id: device.id });
  const [flow] = await client.flows.list({ integration_id: integration.id });
  await clock.advance(HOUR);
  const ids = {
    device_id: device.id,
    label_id: label.id,
    integration_id: integration.id,
    flow_id: flow?.id,
  };
  const values = {
    token: "t",
    key: "k",
    access: "a",
    secret: "s",
    devices: [{ name: "B", ...euis, dev_eui: "0004A30B001C0998" }],
  };
  const helpers = {
    isApiError,
    isConfirmedUplinkEvent,
    isIntegrationEvent,
    isObservedEvent,
    isUplinkBody,
    isUplinkEvent,
    parseUtc,
    stringifyJson,
  };
  return { client, label, device, ...euis, ...ids, ...values, ...helpers };
}

/** Returns the values for the examples of the ledger. */
async function prepareLedger({ ledger }: Sandbox): Promise<Record<string, unknown>> {
  const { baseUrl, fetch, state } = ledger;
  const client = createLedgerClient({ baseUrl, fetch });
  const height = state.height - 1;
  const { hash } = state.chain.block(height);
  const values = {
    address: state.chain.addresses.of(0),
    height,
    hash,
    location: "8c2681a3064d9ff",
  };
  return { client, ...values, z, ago, formatBones, isKnownTransaction, nextNonce };
}

function idOf(created: { readonly id?: string | undefined } | undefined): string {
  if (created?.id === undefined) throw new Error("the sandbox returns the record");
  return created.id;
}
