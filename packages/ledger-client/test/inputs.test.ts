import { expect, test } from "vitest";
import { ago, InputError, type LedgerClient } from "../src/index.ts";
import { address, clientOf, errorOf } from "./answering.ts";

type Call = (client: LedgerClient) => Promise<unknown>;

test.for<[string, Call, string]>([
  ["a height that is not a safe integer", (c) => c.blocks.get({ height: 2 ** 53 }), "height"],
  ["a height with a fraction", (c) => c.blocks.get({ height: 1.5 }), "height"],
  [
    "a negative height",
    (c) => c.blocks.transactions({ height: -1 }).page(),
    "must not be negative",
  ],
  ["a height that is a string", (c) => c.blocks.get({ height: "7" as never }), "height"],
  ["an address with a slash", (c) => c.accounts.get({ address: "13ab/../x" }), "must be base58"],
  [
    "an address with a letter that base58 lacks",
    (c) => c.accounts.get({ address: "13abO" }),
    "base58",
  ],
  [
    "an address that is another endpoint",
    (c) => c.accounts.get({ address: "rich" }),
    "already uses",
  ],
  ["a variable that is another endpoint", (c) => c.vars.get({ name: "activity" }), "already uses"],
  ["a hash with a slash", (c) => c.blocks.getByHash({ hash: "a/b" }), "slash"],
  ["a location that is empty", (c) => c.locations.get({ location: "" }), "must not be empty"],
  ["a location with a slash", (c) => c.locations.get({ location: "8c/26" }), "slash"],
  ["a limit of 0", (c) => c.accounts.rich({ limit: 0 }), "must be from 1 to 1000"],
  ["a limit of 1,001", (c) => c.accounts.rich({ limit: 1_001 }), "must be from 1 to 1000"],
  ["an empty time", (c) => c.blocks.height({ max_time: " " }), "max_time: must be a Date"],
  ["a time with a line break", (c) => c.blocks.height({ max_time: "now\n" }), "max_time"],
  [
    "a Date as JavaScript prints it",
    (c) => c.blocks.height({ max_time: String(new Date(0)) }),
    "max_time: must be a Date",
  ],
  [
    "a Date in the form of HTTP",
    (c) => c.blocks.height({ max_time: new Date(0).toUTCString() }),
    "max_time",
  ],
  [
    "an invalid Date as a string",
    (c) => c.blocks.height({ max_time: String(new Date("x")) }),
    "max_time",
  ],
  ["a time that is a number", (c) => c.blocks.height({ max_time: 5 as never }), "max_time"],
  ["an invalid Date", (c) => c.blocks.height({ max_time: new Date(Number.NaN) }), "max_time"],
  [
    "a sum without an end",
    (c) => c.accounts.rewardsSum({ address, min_time: "now" } as never),
    "max_time",
  ],
  [
    "a filter type with a comma",
    (c) => c.accounts.activityCount({ address, filter_types: ["a,b"] }),
    "comma",
  ],
  [
    "no filter type at all",
    (c) => c.accounts.activityCount({ address, filter_types: [] }),
    "at least one",
  ],
])("rejects %s before anything is sent", async ([, call, message]) => {
  const { client, sent } = clientOf({ data: {} });
  const error = await errorOf(call(client));
  expect(error).toBeInstanceOf(InputError);
  expect(error.message).toContain(message);
  expect(sent).toEqual([]);
});

test.for<[string, string | Date, string]>([
  ["a Date", new Date("2026-11-20T08:00:00Z"), "2026-11-20T08%3A00%3A00.000Z"],
  ["a date alone", "2026-11-20", "2026-11-20"],
  ["a time with a zone", "2026-11-20T08:00:00+01:00", "2026-11-20T08%3A00%3A00%2B01%3A00"],
  ["a time before now", ago(3, "day"), "-3%20day"],
  ["now", "now", "now"],
  ["an unknown unit", "-3 month", "-3%20month"],
  ["a unit in the plural", "-90 minutes", "-90%20minutes"],
  ["ISO 8601 in its basic form", "20261120T080000Z", "20261120T080000Z"],
  ["an ISO 8601 week", "2026-W47-5", "2026-W47-5"],
])("sends %s encoded and otherwise unchanged", async ([, time, text]) => {
  const { client, sent } = clientOf({ data: { height: 7 } });
  await client.blocks.height({ max_time: time });
  expect(sent[0]?.search).toBe(`?max_time=${text}`);
});

test("ago accepts whole numbers from 1 up, and a unit", () => {
  expect(ago(2, "week")).toBe("-2 week");
  for (const amount of [0, -1, 1.5, Number.NaN, 2 ** 53])
    expect(() => ago(amount, "hour")).toThrow(RangeError);
  expect(() => ago(3, ["day"] as never)).toThrow(
    'ago: the unit must be a string, such as "day", not an array.',
  );
});

test("sends filter types as one value separated by commas", async () => {
  const { client, sent } = clientOf({ data: {} });
  await client.accounts.activityCount({ address, filter_types: ["payment_v1", "payment_v2"] });
  expect(sent[0]?.search).toBe("?filter_types=payment_v1%2Cpayment_v2");
});

test("the second page of rewards sends the times as the same strings", async () => {
  const { client, sent } = clientOf({ data: [] });
  await client.accounts.rewards({ address, min_time: ago(1, "day") }).page("abc");
  expect(sent[0]?.search).toBe("?min_time=-1%20day&cursor=abc");
});

test("rewards without a time are sent, because the published spec requires none", async () => {
  const { client, sent } = clientOf({ data: [] });
  await client.accounts.rewards({ address }).page();
  expect(sent[0]?.search).toBe("");
});
