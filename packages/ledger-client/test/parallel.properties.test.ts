import fc from "fast-check";
import { expect, test } from "vitest";
import { createLedgerClient, type ParallelCheckpoint } from "../src/index.ts";
import { serveRewards } from "./rewards-server.ts";

const address = "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G";
const start = Date.parse("2026-11-01T00:00:00Z");
const SECOND = 1_000;

/** Random times between blocks: none, less than a minute, and long pauses. */
const gapsBetween = fc.array(
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 59 }),
    fc.integer({ min: 60, max: 600 }),
    fc.integer({ min: 3_600, max: 400_000 }),
  ),
  { minLength: 0, maxLength: 250 },
);

test("parallel loses and repeats no item with any times, lanes, faults and interruptions", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        gaps: gapsBetween,
        rewardsOfBlock: fc.integer({ min: 1, max: 4 }),
        pageSize: fc.integer({ min: 1, max: 9 }),
        lanes: fc.integer({ min: 1, max: 9 }),
        order: fc.constantFrom("arrival", "list"),
        faultEvery: fc.constantFrom(2, 3, 10, Infinity),
        expirations: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }),
        /** The number of items after which each run is interrupted. */
        kills: fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 4 }),
        waits: fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 20 }),
        /** How long the caller processes an item, in turns of the event loop. */
        work: fc.constantFrom(0, 0, 5, 50),
        from: fc.integer({ min: -100, max: 500_000 }),
        length: fc.integer({ min: 0, max: 5_000_000 }),
      }),
      async ({ gaps, order, lanes, kills, waits, work, from, length, ...given }) => {
        let time = start;
        const blocks = gaps.map((gap) => (time += gap * SECOND));
        let [responses, asked] = [0, 0];
        const server = serveRewards({
          blocks,
          rewardsOfBlock: given.rewardsOfBlock,
          pageSize: given.pageSize,
          latency: () => waits[asked++ % waits.length] ?? 0,
          fault(query) {
            responses++;
            if (responses % given.faultEvery === 0) return new Response("", { status: 503 });
            if (given.expirations.includes(responses) && query.has("cursor"))
              return Response.json({ error: "Cursor Expired" }, { status: 400 });
            return undefined;
          },
        });
        const query = {
          address,
          min_time: new Date(start + from * SECOND),
          max_time: new Date(start + (from + length) * SECOND),
        };
        const client = createLedgerClient({
          baseUrl: "https://ledger.test",
          fetch: server.fetch,
          retry: false,
          rateLimit: false,
        });
        const list = client.accounts.rewards(query, { onCursorExpired: "restart" });
        const found: (string | null | undefined)[] = [];
        let checkpoint: ParallelCheckpoint | undefined;

        for (const most of [...kills, Infinity]) {
          const run = list.parallel({ lanes, order, checkpoint });
          for (let count = 0, failures = 0; count < most;) {
            try {
              const { done, value } = await run.next();
              if (done === true) break;
              found.push(value.hash);
              for (let turns = 0; turns < work; turns++) await Promise.resolve();
              count++;
              failures = 0;
            } catch (error) {
              if (++failures > 100) throw error;
            }
          }
          checkpoint = JSON.parse(JSON.stringify(run.checkpoint())) as ParallelCheckpoint;
          await run.return();
        }

        // The items that a single lane reads without faults.
        const plain = serveRewards({ ...given, blocks });
        const serial = createLedgerClient({ baseUrl: "https://ledger.test", fetch: plain.fetch });
        const all = await serial.accounts.rewards(query).toArray({ limit: Infinity });
        const hashes = all.map(({ hash }) => hash);
        if (order === "list") expect(found).toEqual(hashes);
        expect(new Set(found)).toEqual(new Set(hashes));
        expect(found).toHaveLength(hashes.length);
        // A request of an interrupted run may still be in progress.
        if (kills.length === 0) expect(server.mostAtOnce).toBeLessThanOrEqual(lanes);
      },
    ),
    { numRuns: 250 },
  );
});
