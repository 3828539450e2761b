import { expect, test } from "vitest";
import {
  createLedgerClient,
  type Drift,
  type LedgerClient,
  type PagerIterator,
  type ParallelCheckpoint,
  type ParallelWalk,
} from "../src/index.ts";
import { address, atMinutes, serveRewards, times, type RewardsServer } from "./rewards-server.ts";

const ROWS = 60;

/** Starts a client of a ledger that repeats `repeats` rows at the start of each page after the first. */
function start(repeats: number) {
  const server = serveRewards({ blocks: atMinutes(ROWS + 1), pageSize: 5, repeats });
  const drift: Drift[] = [];
  const { fetch } = server;
  const client = createLedgerClient({
    baseUrl: "https://ledger.test",
    fetch,
    retry: false,
    onDrift: (each) => drift.push(each),
  });
  return { server, client, drift };
}

type Walk = Pick<PagerIterator<{ hash?: string | null | undefined }>, "next" | "repeated"> & {
  checkpoint(): unknown;
};
type Open = (client: LedgerClient, checkpoint: unknown) => Walk;

const rewards = (client: LedgerClient) => client.accounts.rewards({ address, ...times });
const inLanes =
  (lanes: number, order: "list" | "arrival"): Open =>
  (client, checkpoint): ParallelWalk<object> =>
    rewards(client).parallel({
      lanes,
      order,
      checkpoint: checkpoint as ParallelCheckpoint | undefined,
    });

const WALKS: Readonly<Record<string, Open>> = {
  "page by page": (client, checkpoint) =>
    client.accounts.rewards({ address, ...times }, { checkpoint: checkpoint as undefined }).walk(),
  "in one lane": inLanes(1, "list"),
  "in four lanes, in the order of the list": inLanes(4, "list"),
  "in four lanes, as they arrive": inLanes(4, "arrival"),
};

/** Returns the hashes of the rows that are not repeated, and the number of the others. */
async function readDistinct(client: LedgerClient, open: Open, stop: number) {
  const distinct: string[] = [];
  let repeated = 0;
  for (let checkpoint: unknown; ;) {
    const walk = open(client, checkpoint);
    for (let count = 0, before = 0; count < stop; count++, before = walk.repeated) {
      const { done, value } = await walk.next();
      if (done === true) return { distinct, repeated };
      if (walk.repeated > before) repeated++;
      else distinct.push(String(value.hash));
    }
    checkpoint = JSON.parse(JSON.stringify(walk.checkpoint()));
  }
}

const hashesOf = ({ rewards: all }: RewardsServer): string[] =>
  all.map(({ hash }) => hash).slice(1);

test.each(
  Object.entries(WALKS).flatMap(([name, open]) =>
    [0, 1, 3].map((repeats) => [repeats, name, open] as const),
  ),
)(
  "%i rows that a page repeats are counted, and each row is there once without them: %s",
  async (repeats, name, open) => {
    for (const stop of [Infinity, 7, 4, 1]) {
      const { server, client, drift } = start(repeats);
      const { distinct, repeated } = await readDistinct(client, open, stop);
      const expected = hashesOf(server);
      expect(name.endsWith("arrive") ? distinct.toSorted() : distinct).toEqual(
        name.endsWith("arrive") ? expected.toSorted() : expected,
      );
      if (repeats === 0) expect(repeated).toBe(0);
      else expect(repeated).toBeGreaterThan(repeats);
      expect(drift.length).toBe(repeats === 0 ? 0 : 1);
    }
  },
);

test("a row with the key of the last one, but another field, is not a repeated row", async () => {
  for (const [fee, expected] of [
    [1, 1],
    [2, 0],
  ]) {
    const client = createLedgerClient({
      baseUrl: "https://ledger.test",
      validation: "off",
      fetch: async (url) =>
        Response.json(
          url.includes("cursor")
            ? { data: [{ type: "t", hash: "a", fee }] }
            : { data: [{ type: "t", hash: "a", fee: 1 }], cursor: "c" },
        ),
    });
    const walk = client.accounts.activity({ address }).walk();
    while ((await walk.next()).done !== true);
    expect(walk.repeated).toBe(expected);
  }
});
