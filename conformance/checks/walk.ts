import { type Checkpoint, createLedgerClient } from "@fieldmesh/ledger-client";
import { expectSame } from "../expect.ts";
import type { Check } from "../setting.ts";

const STOP_AFTER = 150;
/** Without an end, a block that appears between two walks would make them differ. */
const RANGE = { min_time: "2019-01-01T00:00:00Z", max_time: "2024-12-28T00:00:00Z" } as const;

/** A long list, left in the middle and resumed. */
export const walkChecks: readonly Check[] = [
  {
    title: "a list is walked, left, and resumed from a checkpoint: every item once, in order",
    run: async ({ sandbox }) => {
      const list = (checkpoint?: Checkpoint) =>
        createLedgerClient({ baseUrl: sandbox.ledger }).accounts.rewards(
          { address: sandbox.account, ...RANGE },
          { checkpoint },
        );
      const all = await list().toArray({ limit: Infinity });
      if (all.length <= STOP_AFTER) throw new Error(`only ${all.length} rewards`);

      const walk = list()[Symbol.asyncIterator]();
      const first = [];
      while (first.length < STOP_AFTER) {
        const { done, value } = await walk.next();
        if (done) break;
        first.push(value);
      }
      const saved = JSON.stringify(walk.checkpoint());
      await walk.return?.();
      const rest = await list(JSON.parse(saved) as Checkpoint).toArray({ limit: Infinity });
      expectSame([...first, ...rest], all);
    },
  },
  {
    title: "parallel lanes read what one lane reads",
    run: async ({ sandbox }) => {
      const list = createLedgerClient({ baseUrl: sandbox.ledger }).accounts.rewards({
        address: sandbox.account,
        ...RANGE,
      });
      const all = await list.toArray({ limit: Infinity });
      const parts = [];
      for await (const reward of list.parallel({ lanes: 4 })) parts.push(reward);
      const key = ({ hash, timestamp }: (typeof all)[number]): string => `${timestamp} ${hash}`;
      expectSame(parts.map(key).toSorted(), all.map(key).toSorted());
    },
  },
  {
    title: "an integer beyond 2^53 keeps its digits",
    run: async ({ sandbox }) => {
      const client = createLedgerClient({ baseUrl: sandbox.ledger });
      const { balance } = await client.accounts.get({ address: sandbox.account });
      if (typeof balance !== "bigint") throw new Error(`a balance is a ${typeof balance}`);
    },
  },
];
