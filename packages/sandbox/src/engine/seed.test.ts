import { createHash } from "node:crypto";
import { createConsoleClient } from "@fieldmesh/console-client";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { stringifyJson } from "@fieldmesh/core";
import { expect, test } from "vitest";
import { createSandbox } from "./sandbox.ts";

// Tests of users name these ids. Where a change of what a seed makes is meant, it is a breaking change with a changeset.

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

test("a seed makes the same data in every version", async () => {
  expect(await dataOf(1)).toMatchInlineSnapshot(`
    {
      "account": "14gm3UReaVxiekt12AotCMczuxmSz2Z7f1ptuuMw44qX3Q2hmb5",
      "accounts": "61646ec59d4c",
      "activity": "8747385c0651",
      "blocks": "ae85f834d0b6",
      "device": "Flow meter 1 Quarry Road, 0004A30B00689DAB, c78954d4-13a3-47e3-9ba6-eab1cd4d210f",
      "fleet": "353d7c9ad847",
      "hotspots": "76cba9148fca",
      "labels": [
        "Winter check",
        "Flow meters",
        "Level gauges",
        "Gate sensors",
      ],
      "organization": "Northern Water Board",
      "rewards": "290250a8f783",
      "vars": "0198a24bd599",
    }
  `);
  expect(await dataOf("two")).toMatchInlineSnapshot(`
    {
      "account": "14j6H2ugFpfxLbkPjnBp42GfSqQRXJEmHvRNckatQCHzmsZdNnd",
      "accounts": "e29e15463c67",
      "activity": "ac020d45595e",
      "blocks": "6ec685b97dcd",
      "device": "Flow meter 1 Mill Weir, 0004A30B003CC910, 86d0baa0-c636-43c5-a9f9-03983421e333",
      "fleet": "d71371de24d9",
      "hotspots": "b66fb65a7029",
      "labels": [
        "Winter check",
        "Flow meters",
        "Level gauges",
        "Gate sensors",
      ],
      "organization": "Northern Water Board",
      "rewards": "915cc067292e",
      "vars": "0198a24bd599",
    }
  `);
});
