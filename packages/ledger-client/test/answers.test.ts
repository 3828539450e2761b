import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import {
  createLedgerClient,
  CursorExpiredError,
  formatBones,
  isApiError,
  isKnownTransaction,
  nextNonce,
  parseBones,
  parseJson,
  stringifyJson,
  type Drift,
  type LedgerClient,
} from "../src/index.ts";
import { address, clientOf, errorOf } from "./answering.ts";

const NANOSECONDS = "1763625600123456789";
const receipts = `{"type":"poc_receipts_v1","hash":"h","height":7,"time":1763625600,"signature":"s","fee":0,
  "secret":"x","onion_key_hash":"o","challenger":"c","challenger_owner":"w","challenger_loc":"l","path":[{"challengee":"g",
  "receipt":{"timestamp":${NANOSECONDS},"signature":"s","signal":-90,"origin":"p2p","gateway":"g","data":"AQ"},
  "witnesses":[{"timestamp":${NANOSECONDS},"gateway":"w","signal":-100,"datarate":[83,70]}]}]}`;

test("nanosecond timestamps are read and written exactly", async () => {
  const { client } = clientOf(`{"data":[${receipts}]}`);
  const [transaction] = await client.blocks.transactions({ height: 7 }).toArray({ limit: 1 });
  if (transaction === undefined || !isKnownTransaction(transaction)) throw new Error("is known");
  if (transaction.type !== "poc_receipts_v1") throw new Error("is a receipt");
  expect(transaction.path[0]?.receipt?.timestamp).toBe(BigInt(NANOSECONDS));
  expect(transaction.path[0]?.witnesses[0]?.timestamp).toBe(BigInt(NANOSECONDS));
  expect(parseJson(stringifyJson(transaction))).toEqual(parseJson(receipts));
});

test("an unused account has zeros, and its next nonce is 1", async () => {
  const unseen = { address, balance: 0, dc_balance: 0, nonce: 0, block: null };
  const { client } = clientOf({ data: unseen });
  const account = await client.accounts.get({ address });
  expect(account).toMatchObject({ balance: 0n, dc_balance: 0, block: null });
  expect(nextNonce(account)).toBe(1);
  expect(nextNonce({ speculative_nonce: 6 })).toBe(7);
  expect(nextNonce({ speculative_nonce: 6, block: null, nonce: 0 })).toBe(7);
});

test("an account with the only field that the spec shows is read without drift", async () => {
  const drifts: Drift[] = [];
  const client = createLedgerClient({
    baseUrl: "https://ledger.test",
    fetch: async () => Response.json({ data: { speculative_nonce: 5 } }),
    onDrift: (drift) => void drifts.push(drift),
  });
  expect(await client.accounts.get({ address })).toEqual({ speculative_nonce: 5 });
  expect(drifts).toEqual([]);
});

test.for<[string, object]>([
  ["an account from a list", { nonce: 4, block: 7 }],
  ["an account without a height", { nonce: 0 }],
  ["an account that has paid, without a height", { nonce: 4, block: null }],
  ["a nonce that is a string", { speculative_nonce: "5" }],
])("nextNonce of %s throws an error that names accounts.get", async ([, fields]) => {
  const { client } = clientOf({ data: [{ address, ...fields }] }, {}, { validation: "warn" });
  const [account] = await client.accounts.list().toArray({ limit: 1 });
  expect(() => nextNonce(account!)).toThrow("Pass the result of accounts.get");
});

test("amounts are read as bigints from a number, a large number and a string", async () => {
  const { client } = clientOf(
    `{"data":{"balance":5,"staked_balance":22300000000000001,"sec_balance":"7"}}`,
  );
  expect(await client.accounts.get({ address })).toEqual({
    balance: 5n,
    staked_balance: 22300000000000001n,
    sec_balance: 7n,
  });
});

test("a sum of rewards is a list with and without buckets", async () => {
  const range = { address, min_time: "-1 week", max_time: "now" };
  const one = clientOf({ data: { sum: 5, total: 0.5 } });
  expect(await one.client.accounts.rewardsSum(range)).toEqual([{ sum: 5n, total: 0.5 }]);
  const two = clientOf({
    data: [
      { sum: "5", timestamp: "t" },
      { sum: 6, gateway: "g" },
    ],
  });
  expect(await two.client.accounts.rewardsSum({ ...range, bucket: "day" })).toEqual([
    { sum: 5n, timestamp: "t" },
    { sum: 6n, gateway: "g" },
  ]);
});

test("a caller's schema types and converts an open record, also in a list", async () => {
  const { client } = clientOf({ data: [{ address, color: "red" }] });
  const schema = z.object({ color: z.string().transform((text) => text.length) });
  expect(await client.accounts.list({}, { schema }).toArray({ limit: 9 })).toEqual([{ color: 3 }]);
  const variable = clientOf({ data: 7 });
  expect(await variable.client.vars.get({ name: "a" }, { schema: z.number() })).toBe(7);
});

test.for<[string, (client: LedgerClient, cursor?: string) => Promise<unknown>]>([
  ["the list of accounts", (client, cursor) => client.accounts.list().page(cursor)],
  [
    "the hotspots of an account",
    (client, cursor) => client.accounts.hotspots({ address }).page(cursor),
  ],
])("a 400 for %s is an expired cursor if the request has one, with any body", async ([, call]) => {
  const { client } = clientOf({ error: "Bad Request" }, { status: 400 });
  expect(await errorOf(call(client, "old"))).toBeInstanceOf(CursorExpiredError);
  const error = await errorOf(call(client));
  expect(error).not.toBeInstanceOf(CursorExpiredError);
  expect(isApiError(error, 400)).toBe(true);
  expect(error.message).toContain("The request was not accepted; if it carried a cursor");
});

test("a 400 for a foreign cursor is a CursorExpiredError if the body says so, and otherwise mentions it", async () => {
  const plain = clientOf({ error: "Bad Request" }, { status: 400 });
  const error = await errorOf(plain.client.blocks.list().page("old"));
  expect(isApiError(error, 400)).toBe(true);
  expect(error.message).toContain("if it carried a cursor, the cursor may have expired");
  const said = clientOf({ error: "Cursor Expired" }, { status: 400 });
  expect(await errorOf(said.client.blocks.list().page("old"))).toBeInstanceOf(CursorExpiredError);
});

test.for<[string, number, string, string]>([
  ["its own 404", 404, '{"error":"Not Found"}', "failed with 404: Account not found."],
  ["a busy 503", 503, '{"error":"Too Busy"}', "failed with 503: too busy."],
  ["HTML from the edge", 429, "<html>key=k3y</html>", "failed with 429: too many requests."],
  ["a 500 with a string", 500, "boom k3y", "failed with 500."],
  ["an unknown error", 500, '{"error":"Not Found: k3y"}', "failed with 500."],
  ["an error that is not a string", 500, '{"error":["k3y"]}', "failed with 500."],
  ["a body that is null", 404, "null", "failed with 404: Account not found."],
])("%s is an ApiError that does not repeat the body", async ([, status, body, message]) => {
  const { client } = clientOf(body, { status });
  const error = await errorOf(client.accounts.get({ address }));
  expect(isApiError(error, status)).toBe(true);
  expect(error.message).toContain(message);
  expect(error.message).not.toContain("k3y");
});

test("a call that meets a busy ledger says to call again later", async () => {
  const { client } = clientOf({ error: "Too Busy" }, { status: 503 });
  const error = await errorOf(client.blocks.height());
  expect(error).toMatchObject({ code: "too_busy" });
  expect(error.message).toContain("The ledger is busy; call again later.");
});

test("come_back_in_ms overrides a Retry-After of 0", async () => {
  const times: number[] = [];
  const throttled = createLedgerClient({
    baseUrl: "https://ledger.test",
    retry: { baseDelay: 0 },
    fetch: async () => {
      times.push(performance.now());
      return times.length > 1
        ? Response.json({ data: { height: 7 } })
        : Response.json(
            { error: "Too Busy", come_back_in_ms: 80 },
            { status: 429, headers: { "retry-after": "0" } },
          );
    },
  });
  await throttled.blocks.height();
  expect(times[1]! - times[0]!).toBeGreaterThan(75);
});

test("formatBones and parseBones convert bones to tokens and back exactly", () => {
  expect(formatBones(123_456_789n)).toBe("1.23456789");
  expect(formatBones(-50_000_000n)).toBe("-0.5");
  expect(formatBones(0n)).toBe("0");
  expect(() => formatBones(1.5 as never)).toThrow("requires a bigint");
  expect(parseBones("223000000.00000001")).toBe(22_300_000_000_000_001n);
  fc.assert(fc.property(fc.bigInt(), (bones) => parseBones(formatBones(bones)) === bones));
  for (const text of ["", "1.", ".5", "1,5", "1e8", "0.123456789", "+1", " 1"])
    expect(() => parseBones(text)).toThrow(RangeError);
});
