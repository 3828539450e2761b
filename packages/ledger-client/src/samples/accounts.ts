import type { Samples } from "@fieldmesh/http/internal";
import type { accounts as rows } from "../accounts.ts";
import { address, gateway, payment, pocRequest, transactionHash } from "./records.ts";

const account = { address, balance: 1_234_500_000_000, dc_balance: 0, nonce: 4, block: 1_000_001 };

/** The examples of the endpoints of accounts, in wire format. */
export const accounts: Samples<typeof rows> = {
  list: { input: {}, output: { data: [account] } },
  rich: { input: { limit: 10 }, output: { data: [account] } },
  get: { input: { address }, output: { data: { ...account, speculative_nonce: 5 } } },
  hotspots: {
    input: { address },
    output: {
      data: [
        {
          address: gateway,
          name: "calm-copper-heron",
          owner: address,
          status: { online: "online" },
        },
      ],
    },
  },
  ouis: {
    input: { address },
    output: { data: [{ oui: 1, owner: address, nonce: 1, block: 700 }] },
  },
  activity: { input: { address }, output: { data: [payment] } },
  activityCount: {
    input: { address, filter_types: "payment_v1,payment_v2" },
    output: { data: { payment_v1: 12, payment_v2: 0 } },
  },
  elections: {
    input: { address },
    output: {
      data: [
        {
          hash: transactionHash,
          type: "consensus_group_v1",
          height: 1_000_001,
          time: 1_763_625_600,
          members: [gateway],
        },
      ],
    },
  },
  challenges: { input: { address }, output: { data: [pocRequest] } },
  pendingTransactions: {
    input: { address },
    output: {
      data: [{ hash: transactionHash, type: "payment_v2", status: "pending", txn: payment }],
    },
  },
  rewards: {
    input: { address, min_time: "-1 day" },
    output: {
      data: [
        {
          block: 1_000_001,
          hash: transactionHash,
          timestamp: "2026-11-20T08:00:00.000000Z",
          account: address,
          gateway,
          amount: 5_173_220,
        },
      ],
    },
  },
  rewardsSum: {
    input: { address, min_time: "-2 day", max_time: "now", bucket: "day" },
    output: {
      data: [
        {
          sum: 517_322_000,
          total: 5.17322,
          min: 0,
          max: 1.2,
          avg: 0.4,
          timestamp: "2026-11-19T08:00:00Z",
        },
      ],
    },
  },
  stats: {
    input: { address },
    output: {
      data: {
        last_day: [{ timestamp: "2026-11-20T08:00:00.000000Z", balance: 1_234_500_000_000 }],
      },
    },
  },
};
