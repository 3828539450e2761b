import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createLedgerClient } from "../client.ts";

const MINUTE = 60_000;
const COUNT = 60;
const start = Date.parse("2026-11-01T00:00:00Z");
const address = "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G";
const [min_time, max_time] = [new Date(start), new Date(start + COUNT * MINUTE)];

/**
 * Serves an item for each minute, one by one, newest first. The first page of the second part comes when the first part has reached its end and asks for one page
 * more, and that page comes later still.
 */
function open(seconds: number, isIn: (time: number, max: number) => boolean) {
  const rows = Array.from({ length: COUNT }, (_, index) => ({
    hash: `t${index}`,
    timestamp: new Date(start + (COUNT - 1 - index) * MINUTE + seconds * 1_000).toISOString(),
  }));
  const gate = Promise.withResolvers<void>();
  let border: number | undefined;
  let isHeld = false;
  const { accounts } = createLedgerClient({
    baseUrl: "https://ledger.test",
    retry: false,
    rateLimit: false,
    async fetch(url, init) {
      const query = new URL(url).searchParams;
      const max = Date.parse(query.get("max_time") ?? "");
      const list = rows.filter(({ timestamp }) => isIn(Date.parse(timestamp), max));
      const from = Number(query.get("cursor") ?? 0);
      const last = Date.parse(list[from - 1]?.timestamp ?? "");
      if (from === 0 && max !== max_time.getTime() && border === undefined) {
        border = max;
        await gate.promise;
      } else if (border !== undefined && max > border && last < border + MINUTE && !isHeld) {
        isHeld = true;
        gate.resolve();
        for (let turns = 0; turns < 3; turns++) await turn();
        init?.signal?.throwIfAborted();
      }
      const cursor = from + 1 < list.length && { cursor: String(from + 1) };
      return Response.json({ data: list.slice(from, from + 1), ...cursor });
    },
  });
  return {
    list: accounts.rewards({ address, min_time, max_time }),
    hashes: rows.map(({ hash }) => hash),
    isHeld: () => isHeld,
  };
}

test.for(
  (["arrival", "list"] as const).flatMap((order) =>
    (
      [
        ["leaves out the last time", 0, (time, max) => time < max],
        ["includes the last time", 0, (time, max) => time <= max],
        ["includes the minute of the last time", 30, (time, max) => time < max + MINUTE],
      ] as [string, number, (time: number, max: number) => boolean][]
    ).map(([name, seconds, isIn]) => [name, order, seconds, isIn] as const),
  ),
)("a list that %s is read in order of %s, even if the second part comes late", async (row) => {
  const [, order, seconds, isIn] = row;
  const { list, hashes, isHeld } = open(seconds, isIn);
  const found: string[] = [];
  for await (const { hash } of list.parallel({ lanes: 2, order })) found.push(String(hash));
  if (order === "list") expect(found).toEqual(hashes);
  expect(found.toSorted()).toEqual(hashes.toSorted());
  expect(isHeld()).toBe(true);
});
