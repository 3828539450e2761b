import { expect, test } from "vitest";
import {
  createLedgerClient,
  type Drift,
  type ParallelCheckpoint,
  type ParallelOptions,
} from "../src/index.ts";
import { address, atMinutes, serveRewards, times } from "./rewards-server.ts";

const LANES: readonly ParallelOptions[] = [
  { lanes: 1, order: "list" },
  { lanes: 4, order: "list" },
  { lanes: 4, order: "arrival" },
];

test.each(LANES.flatMap((lanes) => [0, 1, 3].map((repeats) => ({ ...lanes, repeats }))))(
  "$repeats rows that a page repeats, in $lanes lanes, by $order: each row is there once without them",
  async ({ repeats, ...lanes }) => {
    for (const stop of [Infinity, 7, 4, 1]) {
      const server = serveRewards({ blocks: atMinutes(61), pageSize: 5, repeats });
      const drift: Drift[] = [];
      const client = createLedgerClient({
        baseUrl: "https://ledger.test",
        fetch: server.fetch,
        onDrift: (each) => drift.push(each),
      });
      const distinct: string[] = [];
      let repeated = 0;
      let isOver = false;
      // Stops after some rows, and resumes from the stored checkpoint.
      for (let checkpoint: ParallelCheckpoint | undefined; !isOver;) {
        const rewards = client.accounts.rewards({ address, ...times });
        const walk = rewards.parallel({ ...lanes, checkpoint });
        for (let count = 0, before = 0; count < stop && !isOver; before = walk.repeated) {
          const { done, value } = await walk.next();
          isOver = done === true;
          if (walk.repeated > before) repeated++;
          else if (value !== undefined) distinct.push(String(value.hash));
          count++;
        }
        checkpoint = JSON.parse(JSON.stringify(walk.checkpoint())) as ParallelCheckpoint;
      }
      const expected = server.rewards.slice(1).map(({ hash }) => hash);
      expect(distinct.length).toBe(expected.length);
      expect(lanes.order === "list" ? distinct : new Set(distinct)).toEqual(
        lanes.order === "list" ? expected : new Set(expected),
      );
      expect(repeated > repeats).toBe(repeats > 0);
      expect(drift.length).toBe(repeats === 0 ? 0 : 1);
    }
  },
);

test.each([
  [1, 1],
  [2, 0],
])("a row with the key of the last one and the fee %i repeats %i rows", async (fee, expected) => {
  const row = { type: "t", hash: "a", fee: 1 };
  const client = createLedgerClient({
    baseUrl: "https://ledger.test",
    validation: "off",
    fetch: async (url) =>
      Response.json(
        url.includes("cursor") ? { data: [{ ...row, fee }] } : { data: [row], cursor: "c" },
      ),
  });
  const walk = client.accounts.activity({ address }).walk();
  while ((await walk.next()).done !== true);
  expect(walk.repeated).toBe(expected);
});
