import { expect } from "vitest";
import { list, number, present, states, succeeds, text, type Statement } from "./statement.ts";

const get = (path: string) => `GET /ledger/v1/${path}\nuser-agent: test`;
const error = (message: string) => ({ error: message });
const rejected = (says: string, path: string, options?: Statement["options"]) =>
  states(says, get(path), 400, error("Bad Request"), options);
const block = {
  height: number,
  hash: text,
  prev_hash: text,
  time: number,
  transaction_count: number,
  snapshot_hash: text,
};
const span = { avg: number, stddev: number };
const common = { time: number, signature: text, height: 999_999, hash: text, fee: 0 };
const request = {
  ...common,
  type: "poc_request_v1",
  version: number,
  secret_hash: text,
  owner: text,
  onion_key_hash: text,
  location: text,
  lng: number,
  lat: number,
  challenger: text,
  block_hash: text,
};
const receipts = {
  ...common,
  type: "poc_receipts_v1",
  secret: text,
  path: [
    {
      witnesses: list,
      receipt: {
        timestamp: number,
        signature: text,
        signal: number,
        origin: text,
        gateway: text,
        data: text,
      },
      challengee: text,
    },
  ],
  onion_key_hash: text,
  challenger_owner: text,
  challenger_loc: text,
  challenger: text,
};
const location = Object.fromEntries(
  [
    "city_id",
    "long_city",
    "long_country",
    "long_state",
    "long_street",
    "short_city",
    "short_country",
    "short_state",
    "short_street",
  ].map((name) => [name, text]),
);
const sum = { sum: number, total: number };
const day = "min_time=-1%20day&max_time=now";
const hosted = { ledger: { deployment: "hosted" } } as const;
const withoutGateway: unknown = expect.toSatisfy((sums: object[]) =>
  sums.every((each) => !("gateway" in each)),
);
const page = { data: list, cursor: text };
const whole = { data: list };
const some = (record: object) => expect.arrayContaining([expect.objectContaining(record)]);

export const ledgerStatements: readonly Statement[] = [
  succeeds("the height is data.height", get("blocks/height"), {
    data: { height: 1_000_000 },
  }),
  ...["-2 hours", "-1 month", "2026-11-20T06:00:00Z", "2026-324T07:00:00.5+01:00", "now"].map(
    (time) =>
      succeeds(
        `max_time may be ${time}`,
        get(`blocks/height?max_time=${encodeURIComponent(time)}`),
        {
          data: { height: number },
        },
      ),
  ),
  succeeds(
    "the height is that before a time, not at it",
    get("blocks/height?max_time=2026-11-20T06:00:00Z"),
    { data: { height: 999_879 } },
  ),
  rejected("any other time is an error", "blocks/height?max_time=soon"),
  succeeds("the statistics have four spans", get("blocks/stats"), {
    data: { last_hour: span, last_day: span, last_week: span, last_month: span },
  }),
  succeeds("blocks are paged: a cursor leads to more", get("blocks"), {
    data: [],
    cursor: text,
  }),
  succeeds("the next page has block descriptors", get("blocks?cursor={cursor}"), {
    data: some(block),
    cursor: text,
  }),
  succeeds(
    "the transactions of a height are paged, one of them a request of a challenge",
    get("blocks/999999/transactions"),
    { data: some(request) },
  ),
  succeeds("one of them is the receipts of a challenge", get("blocks/999999/transactions"), {
    data: some(receipts),
  }),
  succeeds("a block is looked up by its hash", get("blocks/hash/{hash}"), {
    data: { ...block, height: 999_999, hash: "{hash}" },
  }),
  succeeds("so are its transactions", get("blocks/hash/{hash}/transactions"), {
    data: some(common),
  }),
  succeeds("a block is looked up by its height (deprecated)", get("blocks/999999"), {
    data: { ...block, hash: "{hash}" },
  }),
  succeeds("accounts are paged", get("accounts"), page),
  succeeds("the richest accounts are 1,000 by default", get("accounts/rich"), {
    data: expect.toSatisfy((all: unknown[]) => all.length === 1_000),
  }),
  succeeds("limit lowers their number", get("accounts/rich?limit=3"), {
    data: expect.toSatisfy((all: unknown[]) => all.length === 3),
  }),
  succeeds("an account (address) has a speculative_nonce", get("accounts/{address}"), {
    data: expect.objectContaining({ address: "{address}", speculative_nonce: number }),
  }),
  ...[
    "hotspots",
    "ouis",
    "activity",
    "elections",
    "challenges",
    "pending_transactions",
    "rewards",
  ].map((name) =>
    succeeds(
      `the ${name} of an account are paged`,
      get(`accounts/{address}/${name}`),
      expect.objectContaining(whole),
    ),
  ),
  succeeds(
    "activity is counted by the types of filter_types",
    get("accounts/{address}/activity/count?filter_types=payment_v1,payment_v2"),
    { data: { payment_v1: number, payment_v2: number } },
  ),
  succeeds(
    "rewards have times: min_time and max_time",
    get(`accounts/{address}/rewards?${day}`),
    expect.objectContaining(whole),
  ),
  succeeds(
    "without max_time, rewards end at the current time",
    get("accounts/{address}/rewards?min_time=-1%20day"),
    expect.objectContaining({ data: some({ account: "{address}" }) }),
  ),
  rejected(
    "the sum of rewards requires both times",
    "accounts/{address}/rewards/sum?min_time=-1%20day",
  ),
  succeeds("rewards are summed", get(`accounts/{address}/rewards/sum?${day}`), {
    data: expect.objectContaining(sum),
  }),
  ...["hour", "day", "week"].map((bucket) =>
    succeeds(
      `a bucket of a ${bucket} has a sum for each hotspot`,
      get(`accounts/{address}/rewards/sum?${day}&bucket=${bucket}`),
      { data: some({ ...sum, gateway: text, timestamp: text }) },
    ),
  ),
  succeeds(
    "the balance has statistics of a day, a week and a month",
    get("accounts/{address}/stats"),
    { data: { last_day: list, last_week: list, last_month: list } },
  ),
  succeeds("all chain variables are listed", get("vars"), { data: expect.any(Object) }),
  succeeds("a chain variable has a name", get("vars/poc_typo_fixes"), { data: true }),
  succeeds("the activity of chain variables is paged", get("vars/activity"), whole),
  succeeds("a location is described (deprecated)", get("locations/8c2681a3064d9ff"), {
    data: { location: "8c2681a3064d9ff", ...location },
  }),
  rejected("an expired cursor of accounts is a 400", "accounts?cursor={expired}"),
  rejected(
    "an expired cursor of hotspots is a 400",
    "accounts/{address}/hotspots?cursor={expired}",
  ),
  states("(observed) an unknown route is a 404 in JSON", get("unknown"), 404, error("Not Found")),
  states(
    "(observed) a time that cannot be read is a 404 here",
    get("accounts/{address}/activity?min_time=soon"),
    404,
    error("Not Found"),
  ),
  // The switches, the other way.
  succeeds(
    "a hosted deployment groups by time alone",
    get(`accounts/{address}/rewards/sum?${day}&bucket=day`),
    {
      data: withoutGateway,
      meta: present,
    },
    hosted,
  ),
  succeeds(
    "(observed) a hosted deployment has request_block_hash in the receipts of a challenge",
    get("blocks/999999/transactions"),
    expect.objectContaining({ data: some({ ...receipts, request_block_hash: text }) }),
    hosted,
  ),
  rejected(
    "a hosted deployment does not read minutes",
    "blocks/height?max_time=-1%20minute",
    hosted,
  ),
  rejected("a hosted deployment requires a time of rewards", "accounts/{address}/rewards", hosted),
  succeeds(
    "a hosted deployment has 100 rich accounts",
    get("accounts/rich"),
    { data: expect.toSatisfy((all: unknown[]) => all.length === 100) },
    hosted,
  ),
  states(
    "a deployment may allow no request, and says when to come back",
    get("blocks/height"),
    429,
    { error: "Too Busy", come_back_in_ms: number },
    { ledger: { requestsPerMinute: 0 } },
  ),
];
