import { createConsoleClient } from "@fieldmesh/console-client";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { createMapperClient } from "@fieldmesh/mapper-client";
import { createMobileClient } from "@fieldmesh/mobile-client";

// A library that exports methods of the clients: the compiler must be able to name every type in its declarations.

const baseUrl = "http://127.0.0.1";
const client = createConsoleClient({ baseUrl, apiKey: "key" });
const ledger = createLedgerClient({ baseUrl });
const mapper = createMapperClient({ baseUrl });
const mobile = createMobileClient({ baseUrl, apiKey: "sk_sandbox_key", mode: "sandbox" });

export const { request, withOptions } = client;
export const createLabel = client.labels.create;
export const createMany = client.devices.createMany;
export const createHttp = client.integrations.createHttp;
export const followEvents = client.devices.follow;
export const createFlow = client.flows.create;
export const createBatch = () => client.devices.createBatch({ devices: [] });
export const rewards = ledger.accounts.rewards;
export const follow = ledger.blocks.follow;
export const accounts = () => ledger.accounts.list();
export const ingest = mapper.ingest;
export const createSubscriber = mobile.subscribers.create;
export const events = mobile.events.list;
export const all = { ...client.devices, ...ledger.blocks, ...mobile.subscriptions };
