import { createHash } from "node:crypto";
import { createConsoleClient } from "@fieldmesh/console-client";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { stringifyJson } from "@fieldmesh/core";
import { expect, test } from "vitest";
import type { FaultRate } from "../faults/fault-script.ts";
import { createSandbox } from "./sandbox.ts";

// The tests of users name these ids. An intended change of the data of a seed is a breaking change with a changeset.

const digest = (value: unknown): string =>
  createHash("sha256")
    .update(stringifyJson(value, { reveal: true }))
    .digest("hex")
    .slice(0, 12);

async function dataOf(seed: number | string) {
  const sandbox = createSandbox({ seed });
  const { apiKey } = sandbox;
  const at = ({ baseUrl, fetch }: typeof sandbox.console | typeof sandbox.ledger) => ({
    baseUrl,
    fetch,
  });
  const { devices, labels, organization } = createConsoleClient({ apiKey, ...at(sandbox.console) });
  const ledger = createLedgerClient(at(sandbox.ledger));
  const [account, ...accounts] = await ledger.accounts.list().toArray({ limit: 20 });
  const { address } = account!;
  const fleet = await devices.list();
  return {
    organization: (await organization.list())[0]!.name,
    labels: (await labels.list()).map(({ name }) => name),
    device: `${fleet[0]!.name}, ${fleet[0]!.dev_eui}, ${fleet[0]!.id}`,
    fleet: digest(fleet),
    account: address,
    accounts: digest(accounts),
    hotspots: digest(await ledger.accounts.hotspots({ address }).toArray({ limit: 5 })),
    activity: digest(await ledger.accounts.activity({ address }).toArray({ limit: 20 })),
    rewards: digest(
      await ledger.accounts.rewards({ address, min_time: "-1 day" }).toArray({ limit: 20 }),
    ),
    blocks: digest(await ledger.blocks.list().toArray({ limit: 20 })),
    vars: digest(await ledger.vars.list()),
  };
}

test("a seed creates the same data in every version", async () => {
  expect(await dataOf(1)).toEqual({
    account: "14gm3UReaVxiekt12AotCMczuxmSz2Z7f1ptuuMw44qX3Q2hmb5",
    accounts: "61646ec59d4c",
    activity: "8747385c0651",
    blocks: "ae85f834d0b6",
    device: "Flow meter 1 Quarry Road, 0004A30B00689DAB, c78954d4-13a3-47e3-9ba6-eab1cd4d210f",
    fleet: "e88d7f2a7aea",
    hotspots: "76cba9148fca",
    labels: ["Winter check", "Flow meters", "Level gauges", "Gate sensors"],
    organization: "Northern Water Board",
    rewards: "290250a8f783",
    vars: "0198a24bd599",
  });
  expect(await dataOf("two")).toEqual({
    account: "14j6H2ugFpfxLbkPjnBp42GfSqQRXJEmHvRNckatQCHzmsZdNnd",
    accounts: "e29e15463c67",
    activity: "ac020d45595e",
    blocks: "6ec685b97dcd",
    device: "Flow meter 1 Mill Weir, 0004A30B003CC910, 86d0baa0-c636-43c5-a9f9-03983421e333",
    fleet: "27ee753c458c",
    hotspots: "b66fb65a7029",
    labels: ["Winter check", "Flow meters", "Level gauges", "Gate sensors"],
    organization: "Northern Water Board",
    rewards: "915cc067292e",
    vars: "0198a24bd599",
  });
});

async function historiesOf(records: "spec" | "full") {
  const sandbox = createSandbox({ console: { records } });
  const { apiKey } = sandbox;
  const { baseUrl, fetch } = sandbox.console;
  const client = createConsoleClient({ apiKey, baseUrl, fetch });
  const lake = { name: "Lake", endpoint: "https://lake.test", method: "post" } as const;
  const { id: integration_id } = await client.integrations.createHttp(lake);
  const [label] = await client.labels.list();
  await client.flows.create({ integration_id, label_id: label!.id });
  await sandbox.clock.advance(3 * 86_400_000);

  const devices = await client.devices.list();
  const read = (list: "events" | "integrationEvents") =>
    Promise.all(devices.map(({ id: device_id }) => client.devices[list]({ device_id })));
  return [digest(await read("events")), digest(await read("integrationEvents"))];
}

async function faultsOf(faults: FaultRate): Promise<string> {
  const sandbox = createSandbox({ faults });
  const { baseUrl, fetch } = sandbox.ledger;
  for (let i = 0; i < 12; i++) await fetch(`${baseUrl}/v1/vars`).catch(() => {});
  return sandbox.log
    .requests()
    .map(({ fault }) => fault?.kind ?? "-")
    .join(" ");
}

test("a seed creates the same keys, histories, webhooks, faults and lists of the ledger", async () => {
  const sandbox = createSandbox();
  const { apiKey, console, ledger, mobile, webhooks } = sandbox;
  await sandbox.clock.advance(3 * 86_400_000);

  const account = `accounts/${ledger.state.chain.addresses.of(20)}`;
  const lists = {
    account,
    ouis: `${account}/ouis`,
    activity: `${account}/activity`,
    counts: `${account}/activity/count`,
    elections: `${account}/elections`,
    challenges: `${account}/challenges`,
    pending: `${account}/pending_transactions`,
    stats: `${account}/stats`,
    hours: `${account}/rewards/sum?min_time=-1%20day&max_time=now&bucket=hour`,
    days: `${account}/rewards/sum?min_time=-2%20week&max_time=now&bucket=day`,
    weeks: `${account}/rewards/sum?min_time=-2%20week&max_time=now&bucket=week`,
    block: `blocks/hash/${ledger.state.chain.block(700).hash}/transactions`,
    genesis: "blocks/1/transactions",
    spans: "blocks/stats",
    changes: "vars/activity",
    location: "locations/8c2681a3064d9ff",
  };
  const read = async (path: string) => {
    const headers = { "user-agent": "test" };
    const response = await ledger.fetch(`${ledger.baseUrl}/v1/${path}`, { headers });
    return digest([response.status, await response.text()]);
  };
  const digests = Object.entries(lists).map(
    async ([name, path]) => [name, await read(path)] as const,
  );

  // Without delays, because each lasts a second.
  const kinds = ["reset", "lost", "truncate", 503] as const;
  webhooks.register({ url: "https://backend.test/hooks", fetch: async () => new Response() });
  webhooks.disturb({ disorder: 60_000 });
  await webhooks.trigger("sim.activated");
  webhooks.emit("sim.eaten", {}, { unknown: true });
  expect({
    keys: [apiKey, console.unconfirmedApiKey, mobile.liveApiKey, mobile.keys],
    specHistories: await historiesOf("spec"),
    fullHistories: await historiesOf("full"),
    faults: await faultsOf({ rate: 0.5, kinds }),
    ownFaults: await faultsOf({ rate: 0.5, kinds, seed: "own" }),
    ledger: Object.fromEntries(await Promise.all(digests)),
    endpoints: webhooks.endpoints.map(({ id, secrets }) => `${id} ${digest(secrets)}`),
    sent: webhooks.events().map(({ id, idempotency_key }) => `${id} ${idempotency_key}`),
    due: webhooks.deliveries().map(({ id, nextAttemptAt }) => `${id} ${nextAttemptAt}`),
  }).toEqual({
    due: ["del_0f742c726e94 1795420812331", "del_aec678173e8a 1795420820375"],
    endpoints: ["we_cb27658a8efd 28921975223d"],
    faults: "- truncate - - reset - - truncate lost status - -",
    fullHistories: ["05749253e187", "92bd83d58b0e"],
    keys: [
      "ALyGl7iaoBPtw1JlWpsNOnpPiohs1fFMeQOg3WHTO0E=",
      "nj4YMGsBRXUIv/Rgl4LuFo+yvz+Qau3CRwDdp0cuWxw=",
      "sk_live_49b7622d25779654cd3d6fa9",
      {
        pk: "pk_sandbox_506f9d68f67d88688531977e",
        rk: "rk_sandbox_ed38653575565d78df276e00",
        sk: "sk_sandbox_1e7c88add44459c876623c81",
      },
    ],
    ledger: {
      account: "5826617823d0",
      activity: "67ad50dca01c",
      block: "5bd1b85559d9",
      challenges: "fd05f6921d13",
      changes: "00fb3703ecd9",
      counts: "f7bdcc8476e6",
      days: "31baf5bd9d93",
      elections: "684f63f0b918",
      genesis: "a2bb42118a5f",
      hours: "8c7441a3b118",
      location: "332e17b6a898",
      ouis: "7962b37206c3",
      pending: "4eb5bf159d58",
      spans: "e6e838132bb1",
      stats: "ded16fd4ce87",
      weeks: "8e5d317d631a",
    },
    ownFaults: "reset lost truncate - - status - - - lost truncate -",
    sent: [
      "evt_77eeeb3cc9f2e6e0 idem_4723574c04f565bd",
      "evt_6cd61ab3edb2fb66 idem_a05d5c0f264f9c75",
    ],
    specHistories: ["911429bd11d7", "fe8bcf6a8aa6"],
  });
});
