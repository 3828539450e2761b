import { expect, test } from "vitest";
import { CallError, createLedgerClient, InputError } from "../src/index.ts";

// A time that is not a date, in an input and in a field of the ledger.

const address = "13buBykFQf5VaQtv7mWj2PBY9Lq4i1DeXhg7C4Vbu3ppzqqNkTH";
const NO_DATES = [
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  8_640_000_000_001,
  "2026-99-99",
  "2026-02-30T25:00:00Z",
  "+275761-01-01T00:00:00Z",
];

/** A ledger with 20 pages of items with the same time. */
function open(time: unknown, field: "time" | "timestamp") {
  let pages = 0;
  return createLedgerClient({
    baseUrl: "https://ledger.test",
    validation: "off",
    retry: false,
    fetch: async () => {
      pages++;
      const data = [0, 1, 2].map((at) => ({ hash: `${pages}-${at}`, gateway: "g", [field]: time }));
      return Response.json({ data, ...(pages < 20 && { cursor: `c${pages}` }) });
    },
  });
}

const times = { min_time: "2020-01-01", max_time: "2026-11-01" };
const lists = {
  rewards: (time: unknown) => open(time, "timestamp").accounts.rewards({ address, ...times }),
  activity: (time: unknown) => open(time, "time").accounts.activity({ address }, { query: times }),
};
const by = { min: "min_time", max: "max_time" };

for (const [name, listOf] of Object.entries(lists))
  test.each(NO_DATES)(
    `${name} whose time is %s are read in parallel, also from a checkpoint`,
    async (time) => {
      const good = name === "rewards" ? "2026-10-01T00:00:00Z" : 1_790_000_000;
      const walk = listOf(good).parallel({ lanes: 1, by });
      for (let read = 0; read < 2; read++) await walk.next();
      const checkpoint = walk.checkpoint();
      for (const resumed of [undefined, checkpoint]) {
        let read = 0;
        try {
          for await (const _ of listOf(time).parallel({
            lanes: 4,
            order: "arrival",
            by,
            checkpoint: resumed,
          }))
            if (++read > 100) break;
          expect(read).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(CallError);
        }
      }
    },
  );

test.each<[string, unknown]>([
  ["an Invalid Date", new Date(Number.NaN)],
  ["a string of an Invalid Date", String(new Date(Number.NaN))],
  ["nothing", ""],
  ["a number", 1_790_000_000],
  ["an object", {}],
])("%s in an input is an InputError", async (_name, time) => {
  const client = open(1, "time");
  for (const call of [
    () => client.blocks.height({ max_time: time as never }),
    () =>
      client.accounts
        .rewards({ address, min_time: time as never })
        .pages()
        .next(),
    () => client.accounts.rewardsSum({ address, ...times, min_time: time as never }),
  ])
    await expect((async () => call())()).rejects.toBeInstanceOf(InputError);
});
