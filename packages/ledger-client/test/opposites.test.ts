import { expect, test } from "vitest";
import * as z from "zod";
import { type Drift, type LedgerClient, type Problem } from "../src/index.ts";
import { address, clientOf } from "./answering.ts";

/** A place where the published spec is silent, and a server that does the opposite of the client's guess. */
interface Opposite {
  readonly call: (client: LedgerClient) => Promise<unknown>;
  readonly response: unknown;
  readonly output: unknown;
  /** The paths of the reported drift. */
  readonly drift: readonly string[];
  /** The queries of the requests. @default one request without a query */
  readonly queries?: readonly string[];
}

const time = { hash: "h", height: 7, time: 1_763_625_600 };
const all = { limit: Infinity };
const range = { address, min_time: "-1 day", max_time: "now" };
const receipts = (witnesses: unknown[]) => ({
  type: "poc_receipts_v1",
  ...time,
  path: [{ challengee: "g", receipt: null, witnesses }],
  onion_key_hash: "o",
  challenger: "c",
});

const opposites: [string, Opposite][] = [
  [
    "an account has a balance that is a string with a unit, and an object in place of a nonce",
    {
      call: (client) => client.accounts.get({ address }),
      response: { data: { address, balance: "5 bones", dc_balance: 1.5, nonce: { value: 4 } } },
      output: { address, balance: "5 bones", dc_balance: 1.5, nonce: { value: 4 } },
      drift: ["data.balance", "data.dc_balance", "data.nonce"],
    },
  ],
  [
    "the list of accounts has addresses in place of records",
    {
      call: (client) => client.accounts.list().toArray(all),
      response: { data: [address, { balance: 5 }] },
      output: [address, { balance: 5n }],
      drift: ["data[0]", "data[1].address"],
    },
  ],
  [
    "the richest accounts are a map",
    {
      call: (client) => client.accounts.rich(),
      response: { data: { [address]: 5 } },
      output: { [address]: 5 },
      drift: ["data"],
    },
  ],
  [
    "a hotspot has a status that is a word and a location that is a pair",
    {
      call: (client) => client.accounts.hotspots({ address }).toArray(all),
      response: { data: [{ name: "n", status: "online", location: [47, 8], geocode: [] }] },
      output: [{ name: "n", status: "online", location: [47, 8], geocode: [] }],
      drift: ["data[0].address", "data[0].location", "data[0].geocode", "data[0].status"],
    },
  ],
  [
    "activity has a documented type without its fields, and a record without a type",
    {
      call: (client) => client.accounts.activity({ address }).toArray(all),
      response: { data: [{ type: "poc_receipts_v1", role: "witness" }, { role: "payee" }] },
      output: [{ type: "poc_receipts_v1", role: "witness" }, { role: "payee" }],
      drift: [
        ...["hash", "height", "time", "path", "onion_key_hash", "challenger"].map(
          (field) => `data[0].${field}`,
        ),
        "data[1].type",
      ],
    },
  ],
  [
    "a challenge is a record of its own kind, with amounts beyond 2^53",
    {
      call: (client) => client.accounts.challenges({ address }).toArray(all),
      response: '{"data":[{"challenge":9007199254740993}]}',
      output: [{ challenge: 9_007_199_254_740_993n }],
      drift: ["data[0].type"],
    },
  ],
  [
    "rewards without a time are accepted, and have amounts with a fraction",
    {
      call: (client) => client.accounts.rewards({ address }).toArray(all),
      response: { data: [{ amount: 0.5, block: "7" }, { amount: 5 }] },
      output: [{ amount: 0.5, block: "7" }, { amount: 5n }],
      drift: ["data[0].block", "data[0].amount"],
    },
  ],
  [
    "a sum of rewards is grouped by hotspot, under its address",
    {
      call: (client) => client.accounts.rewardsSum({ ...range, bucket: "day" }),
      response: { data: { "112a": { "2026-11-20": 5 } } },
      output: [{ "112a": { "2026-11-20": 5 } }],
      drift: [],
      queries: ["?min_time=-1%20day&max_time=now&bucket=day"],
    },
  ],
  [
    "a sum of rewards is a number",
    {
      call: (client) => client.accounts.rewardsSum(range),
      response: { data: 517 },
      output: [517],
      drift: ["data[0]"],
      queries: ["?min_time=-1%20day&max_time=now"],
    },
  ],
  [
    "a caller's schema reads a record that does not match the guess",
    {
      call: (client) =>
        client.accounts.rewardsSum(range, {
          schema: z.object({ sum: z.object({ bones: z.int() }) }),
        }),
      response: { data: { sum: { bones: 7 } } },
      output: [{ sum: { bones: 7 } }],
      drift: [],
      queries: ["?min_time=-1%20day&max_time=now"],
    },
  ],
  [
    "witnesses are addresses, and timestamps are not numbers",
    {
      call: (client) => client.blocks.transactions({ height: 7 }).toArray(all),
      response: { data: [receipts(["112a", { timestamp: "now", datarate: { sf: 9 } }])] },
      output: [receipts(["112a", { timestamp: "now", datarate: { sf: 9 } }])],
      drift: ["[0]", "[1].timestamp", "[1].datarate"].map((at) => `data[0].path[0].witnesses${at}`),
    },
  ],
  [
    "a transaction of another type has fields of any form",
    {
      call: (client) => client.blocks.transactions({ height: 7 }).toArray(all),
      response: { data: [{ type: "rewards_v9", ...time, rewards: "none", amount: "5.0" }] },
      output: [{ type: "rewards_v9", ...time, rewards: "none", amount: "5.0" }],
      drift: [],
    },
  ],
  [
    "the list of blocks is oldest first, has no snapshot hashes, and ends with an empty cursor",
    {
      call: (client) => client.blocks.list().toArray(all),
      response: { data: [{ ...time, transaction_count: 0 }], cursor: "" },
      output: [{ ...time, transaction_count: 0 }],
      drift: [],
    },
  ],
  [
    "chain variables are a list with nested values",
    {
      call: (client) => client.vars.list(),
      response: { data: [{ name: "monthly_reward", value: { bones: 5 } }] },
      output: [{ name: "monthly_reward", value: { bones: 5 } }],
      drift: ["data"],
    },
  ],
];

// The tests of this name in all packages require at least forty opposites together.
test("the table has at least ten opposites", () => {
  expect(opposites.length).toBeGreaterThanOrEqual(10);
});

test.for(opposites)("%s", async ([, { call, response, output, drift, queries = [""] }]) => {
  const places: string[] = [];
  const onDrift = ({ problems }: Drift): void =>
    void places.push(...problems.map(({ path }: Problem) => path));
  const { client, sent } = clientOf(response as object, {}, { onDrift });
  expect(await call(client)).toEqual(output);
  expect(places).toEqual(drift);
  expect(sent.map(({ search }) => search)).toEqual(queries);
});

test("each page sends the filters, because a cursor does not contain them", async () => {
  const { client, sent } = clientOf({ data: [{ amount: 1 }], cursor: "next" });
  const rewards = client.accounts.rewards({ address, min_time: "2026-11-19" }, { maxPages: 2 });
  await rewards.toArray({ limit: 2 });
  expect(sent.map(({ search }) => search)).toEqual([
    "?min_time=2026-11-19",
    "?min_time=2026-11-19&cursor=next",
  ]);
});

test("a response that contradicts the published spec is an error", async () => {
  for (const height of ['"7"', "9007199254740993", "null"]) {
    const { client } = clientOf(`{"data":{"height":${height}}}`);
    await expect(client.blocks.height()).rejects.toMatchObject({ name: "ResponseValidationError" });
  }
  const bare = clientOf({ address, balance: 5 });
  await expect(bare.client.accounts.get({ address })).rejects.toThrow("data: is missing");
});
