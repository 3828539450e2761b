import { expect } from "vitest";
import { list, number, present, states, text, type Statement } from "./statement.ts";

const get = (path: string) => `GET /ledger/v1/${path}\nuser-agent: test`;
const error = (message: string) => ({ error: message });
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
  request_block_hash: text,
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
  states("the height is data.height", get("blocks/height"), 200, {
    data: { height: 1_000_000 },
    meta: {},
  }),
  ...[
    "-2 hours",
    "-120 minute",
    "-1 days",
    "-1 week",
    "-1 month",
    "-1 year",
    "2026-11-20T06:00:00Z",
    "20261120T0600",
    "2026-W47-5T06",
    "2026-324T07:00:00.5+01:00",
    "now",
  ].map((time) =>
    states(
      `max_time may be ${time}`,
      get(`blocks/height?max_time=${encodeURIComponent(time)}`),
      200,
      { data: { height: number }, meta: { max_time: text } },
    ),
  ),
  states(
    "the height is that before a time, not at it",
    get("blocks/height?max_time=2026-11-20T06:00:00Z"),
    200,
    { data: { height: 999_879 }, meta: { max_time: "2026-11-20T06:00:00.000Z" } },
  ),
  states(
    "any other time is an error",
    get("blocks/height?max_time=soon"),
    400,
    error("Bad Request"),
  ),
  states("the statistics have four spans", get("blocks/stats"), 200, {
    data: { last_hour: span, last_day: span, last_week: span, last_month: span },
  }),
  states("blocks are paged: a cursor leads to more", get("blocks"), 200, {
    data: [],
    cursor: text,
  }),
  states("the next page has block descriptors", get("blocks?cursor={cursor}"), 200, {
    data: some(block),
    cursor: text,
  }),
  states(
    "the transactions of a height are paged, one of them a request of a challenge",
    get("blocks/999999/transactions"),
    200,
    { data: some(request) },
  ),
  states("one of them is the receipts of a challenge", get("blocks/999999/transactions"), 200, {
    data: some(receipts),
  }),
  states("a block is looked up by its hash", get("blocks/hash/{hash}"), 200, {
    data: { ...block, height: 999_999, hash: "{hash}" },
  }),
  states("so are its transactions", get("blocks/hash/{hash}/transactions"), 200, {
    data: some(common),
  }),
  states("a block is looked up by its height (deprecated)", get("blocks/999999"), 200, {
    data: { ...block, hash: "{hash}" },
  }),
  states("accounts are paged", get("accounts"), 200, page),
  states("the richest accounts are 1,000 by default", get("accounts/rich"), 200, {
    data: expect.toSatisfy((all: unknown[]) => all.length === 1_000),
  }),
  states("limit lowers their number", get("accounts/rich?limit=3"), 200, {
    data: expect.toSatisfy((all: unknown[]) => all.length === 3),
  }),
  states("an account (address) has a speculative_nonce", get("accounts/{address}"), 200, {
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
    states(
      `the ${name} of an account are paged`,
      get(`accounts/{address}/${name}`),
      200,
      expect.objectContaining(whole),
    ),
  ),
  states(
    "activity is counted by the types of filter_types",
    get("accounts/{address}/activity/count?filter_types=payment_v1,payment_v2"),
    200,
    { data: { payment_v1: number, payment_v2: number } },
  ),
  states(
    "rewards have times: min_time and max_time",
    get(`accounts/{address}/rewards?${day}`),
    200,
    expect.objectContaining(whole),
  ),
  states(
    "the sum of rewards requires both times",
    get("accounts/{address}/rewards/sum?min_time=-1%20day"),
    400,
    error("Bad Request"),
  ),
  states("rewards are summed", get(`accounts/{address}/rewards/sum?${day}`), 200, {
    data: expect.objectContaining(sum),
    meta: present,
  }),
  ...["hour", "day", "week"].map((bucket) =>
    states(
      `a bucket of a ${bucket} has a sum for each hotspot`,
      get(`accounts/{address}/rewards/sum?${day}&bucket=${bucket}`),
      200,
      { data: some({ ...sum, gateway: text, timestamp: text }), meta: present },
    ),
  ),
  states(
    "the balance has statistics of a day, a week and a month",
    get("accounts/{address}/stats"),
    200,
    { data: { last_day: list, last_week: list, last_month: list } },
  ),
  states("all chain variables are listed", get("vars"), 200, { data: expect.any(Object) }),
  states("a chain variable has a name", get("vars/poc_typo_fixes"), 200, { data: true }),
  states("the activity of chain variables is paged", get("vars/activity"), 200, whole),
  states("a location is described (deprecated)", get("locations/8c2681a3064d9ff"), 200, {
    data: { location: "8c2681a3064d9ff", ...location },
  }),
  states(
    "an expired cursor of accounts is a 400",
    get("accounts?cursor={expired}"),
    400,
    error("Bad Request"),
  ),
  states(
    "an expired cursor of hotspots is a 400",
    get("accounts/{address}/hotspots?cursor={expired}"),
    400,
    error("Bad Request"),
  ),
  states("(observed) an unknown route is a 404 in JSON", get("unknown"), 404, error("Not Found")),
  states(
    "(observed) a time that cannot be read is a 404 here",
    get("accounts/{address}/activity?min_time=soon"),
    404,
    error("Not Found"),
  ),
  // The switches, the other way.
  states(
    "a hosted deployment groups by time alone",
    get(`accounts/{address}/rewards/sum?${day}&bucket=day`),
    200,
    {
      data: withoutGateway,
      meta: present,
    },
    hosted,
  ),
  states(
    "a hosted deployment does not read minutes",
    get("blocks/height?max_time=-1%20minute"),
    400,
    error("Bad Request"),
    hosted,
  ),
  states(
    "a hosted deployment requires a time of rewards",
    get("accounts/{address}/rewards"),
    400,
    error("Bad Request"),
    hosted,
  ),
  states(
    "a hosted deployment has 100 rich accounts",
    get("accounts/rich"),
    200,
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
