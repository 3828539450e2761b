import type { Call } from "../call.ts";
import { accountRecord, balanceOf, hotspotRecord } from "./account-records.ts";
import { stampOf } from "./blocks.ts";
import type { LedgerState } from "./ledger-state.ts";
import { respondWithPage, type List } from "./paging.ts";
import { ledgerError } from "./errors.ts";
import type { LedgerResource } from "./resource.ts";
import { readTimeframe, rewardsIn, sumRewards } from "./rewards.ts";
import { readTime } from "./times.ts";
import { transactionAt } from "./transactions.ts";

const HOTSPOTS_A_PAGE = 1_000;
const MOST_RICH = 1_000;
/** How long the lists of an account are that hold neither hotspots nor rewards. */
const TRANSACTIONS = 240;
const ELECTIONS = 5;
const PENDING = 2;
const EACH_OUI = 10;
const HOUR = 60;

/** Accounts. An unknown one has zeros, and its lists are empty. */
export const accounts: LedgerResource<"accounts"> = (state) => {
  const indexOf = (address: string): number | undefined => {
    const index = state.chain.addresses.numberOf(address);
    return index !== undefined && index < state.accounts ? index : undefined;
  };
  const account = (index: number) => accountRecord(state, state.chain.addresses.of(index), index);
  /** The list of a known account, and an empty one of any other. */
  const listOf = <T>(
    address: string,
    length: number,
    item: (index: number, owner: number) => T,
  ): List<T> => {
    const owner = indexOf(address);
    return { length: owner === undefined ? 0 : length, item: (index) => item(index, owner ?? 0) };
  };
  const transactions = (address: string, call: Call) =>
    respondWithPage(state, call, {
      filters: () => readFilters(state, call),
      open: (filters) => {
        const types = String(filters["types"] ?? "")
          .split(",")
          .filter(Boolean);
        const all = listOf(address, TRANSACTIONS, (index, owner) =>
          transactionAt(state.chain, Number(filters["top"]) - index * HOUR, owner % HOUR),
        );
        return types.length === 0 ? all : ofTypes(all, types);
      },
    });

  return {
    list: (_, call) =>
      respondWithPage(state, call, { open: () => ({ length: state.accounts, item: account }) }),
    rich: ({ limit = MOST_RICH }) => ({
      data: Array.from({ length: Math.min(limit, state.accounts) }, (_, index) => account(index)),
    }),
    get: ({ address }) => {
      const index = indexOf(address);
      const record = accountRecord(state, address, index);
      if (index === undefined) return { data: record };
      return {
        data: { ...record, speculative_nonce: record.nonce, hotspot_count: state.hotspots },
      };
    },
    hotspots: ({ address }, call) =>
      respondWithPage(state, call, {
        size: HOTSPOTS_A_PAGE,
        open: () =>
          listOf(address, state.hotspots, (index, owner) => hotspotRecord(state, owner, index)),
      }),
    ouis: ({ address }, call) =>
      respondWithPage(state, call, {
        open: () =>
          listOf(address, (indexOf(address) ?? 1) % EACH_OUI === 0 ? 1 : 0, (_, owner) => ({
            oui: 1 + owner / EACH_OUI,
            owner: address,
            nonce: 1,
            block: 700,
            addresses: [state.chain.gateways.of(owner)],
            subnets: [{ base: 8 * owner, mask: 8_388_600 }],
          })),
      }),
    activity: ({ address }, call) => transactions(address, call),
    activityCount: ({ address, filter_types = "payment_v1,payment_v2" }) => {
      const all = listOf(address, TRANSACTIONS, (index, owner) =>
        transactionAt(state.chain, state.height - index * HOUR, owner % HOUR),
      );
      const types = filter_types.split(",");
      return { data: Object.fromEntries(types.map((type) => [type, ofTypes(all, [type]).length])) };
    },
    elections: ({ address }, call) =>
      respondWithPage(state, call, {
        filters: () => readFilters(state, call),
        open: () =>
          listOf(address, ELECTIONS, (index, owner) => ({
            hash: state.chain.transactionHashes.of(owner + index),
            type: "consensus_group_v1",
            height: 1 + index,
            time: state.chain.timeOf(1 + index),
            delay: 0,
            proof: "AQID",
            members: [state.chain.gateways.of(owner * state.hotspots)],
          })),
      }),
    challenges: ({ address }, call) => transactions(address, call),
    pendingTransactions: ({ address }, call) =>
      respondWithPage(state, call, {
        open: () =>
          listOf(address, PENDING, (index, owner) => ({
            hash: state.chain.transactionHashes.of(owner + index),
            type: "payment_v2",
            status: index === 0 ? "received" : "pending",
            created_at: stampOf(state, state.height),
            updated_at: stampOf(state, state.height),
            txn: index === 0 ? null : { type: "payment_v2", amount: 1 },
          })),
      }),
    rewards: ({ address, min_time, max_time }, call) =>
      respondWithPage(state, call, {
        filters: () => {
          const timeframe = readTimeframe(state, { min_time, max_time });
          return timeframe === undefined ? ledgerError(400) : { ...timeframe };
        },
        open: ({ first, last }) =>
          rewardsIn(state, indexOf(address), { first: Number(first), last: Number(last) }),
      }),
    rewardsSum: ({ address, min_time, max_time, bucket }) => {
      const timeframe = readTimeframe(state, { min_time, max_time });
      if (timeframe === undefined) return ledgerError(400);
      return {
        data: sumRewards(state, indexOf(address), timeframe, bucket),
        // Running deployments send one here and with the height; its content is not known, so these are ours.
        meta: { min_height: timeframe.first, max_height: timeframe.last },
      };
    },
    stats: ({ address }) => {
      const owner = indexOf(address);
      const balance = owner === undefined ? 0n : balanceOf(owner);
      const points = (count: number, hours: number) =>
        Array.from({ length: count }, (_, index) => ({
          timestamp: stampOf(state, state.height - index * hours * HOUR),
          balance,
        }));
      return {
        data: { last_day: points(24, 1), last_week: points(21, 8), last_month: points(30, 24) },
      };
    },
  };
};

/** The filters of activity, elections and challenges, which no row declares. A time that is none is a 404 here. */
function readFilters(state: LedgerState, { url }: Call) {
  const now = state.clock.now();
  const times = ["min_time", "max_time"].map((name) => url.searchParams.get(name) ?? "now");
  if (times.some((text) => readTime(text, now) === undefined)) return ledgerError(404);
  return { top: state.height, types: url.searchParams.get("filter_types") ?? "" };
}

function ofTypes<T extends { readonly type: string }>(
  all: List<T>,
  types: readonly string[],
): List<T> {
  const items = Array.from({ length: all.length }, (_, index) => all.item(index));
  const fitting = items.filter(({ type }) => types.includes(type));
  return { length: fitting.length, item: (index) => fitting[index] as T };
}
