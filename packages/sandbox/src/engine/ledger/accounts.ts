import type { Call } from "../serve/call.ts";
import {
  accountRecord,
  balanceOf,
  electionRecords,
  hotspotRecord,
  pendingRecords,
  singleAccountRecord,
} from "./account-records.ts";
import { stampAt } from "./blocks.ts";
import { type CursorContent, type List, listFrom, respondWithPage } from "./paging.ts";
import type { LedgerState } from "./ledger-state.ts";
import { ledgerError } from "./errors.ts";
import type { LedgerResource } from "./resource.ts";
import { metaOf, readTimeframe, rewardsIn, sumRewards } from "./rewards.ts";
import { timeReaders } from "./times.ts";
import { CHALLENGES, placesOf, transactionAt, TYPES } from "./transactions.ts";

const HOTSPOTS_A_PAGE = 1_000;
const EACH_OUI = 10;
const OUI_BLOCK = 700;
const BLOCKS_AN_HOUR = 60;
const HOUR = 3_600_000;

/** Implements the accounts. An unknown account has zeros and empty lists. */
export const accounts: LedgerResource<"accounts"> = (state) => {
  const indexOf = (address: string): number | undefined => {
    const index = state.chain.addresses.numberOf(address);
    return index !== undefined && index < state.accounts ? index : undefined;
  };
  const account = (index: number) => accountRecord(state, state.chain.addresses.of(index), index);
  /** Returns the list of a known account, and an empty one for any other. */
  const listOf = <T>(address: string, list: (owner: number) => List<T>): List<T> => {
    const owner = indexOf(address);
    return owner === undefined ? listFrom([]) : list(owner);
  };
  /** Returns the transactions of an account in the blocks of a timeframe. `types` limits the values of `filter_types`. */
  const transactions = (address: string, call: Call, types: readonly string[] = TYPES) =>
    respondWithPage(state, call, {
      filters: () => readFilters(state, call),
      open: (filters) => {
        const named = String(filters["types"]).split(",").filter(Boolean);
        const wanted = named.length === 0 ? types : named.filter((type) => types.includes(type));
        return listOfTransactions(address, { ...heightsOf(filters), types: wanted });
      },
    });
  const listOfTransactions = (address: string, range: Parameters<typeof placesOf>[2]) =>
    listOf(address, (owner) => {
      const places = listFrom(placesOf(state, owner, range));
      return { ...places, item: (at) => transactionAt(state, places.item(at)) };
    });

  return {
    list: (_, call) =>
      respondWithPage(state, call, { open: () => ({ length: state.accounts, item: account }) }),
    rich: ({ limit = Infinity }) => ({
      data: Array.from({ length: Math.min(limit, state.mostRich, state.accounts) }, (_, index) =>
        account(index),
      ),
    }),
    get: ({ address }) => ({ data: singleAccountRecord(state, address, indexOf(address)) }),
    hotspots: ({ address }, call) =>
      respondWithPage(state, call, {
        size: HOTSPOTS_A_PAGE,
        open: () =>
          listOf(address, (owner) => ({
            length: state.hotspots,
            item: (index) => hotspotRecord(state, owner, index),
          })),
      }),
    ouis: ({ address }, call) =>
      respondWithPage(state, call, {
        open: () =>
          listOf(address, (owner) => {
            const oui = {
              oui: 1 + owner / EACH_OUI,
              owner: address,
              nonce: 1,
              block: Math.min(OUI_BLOCK, state.height),
              addresses: [state.chain.gateways.of(owner)],
              subnets: [{ base: 8 * owner, mask: 8_388_600 }],
            };
            return listFrom(owner % EACH_OUI === 0 ? [oui] : []);
          }),
      }),
    activity: ({ address }, call) => transactions(address, call),
    activityCount: ({ address, filter_types = "payment_v1,payment_v2" }) => {
      const range = { first: 1, last: state.height };
      const countOf = (type: string): number =>
        listOfTransactions(address, { ...range, types: [type] }).length;
      return {
        data: Object.fromEntries(filter_types.split(",").map((type) => [type, countOf(type)])),
      };
    },
    elections: ({ address }, call) =>
      respondWithPage(state, call, {
        filters: () => readFilters(state, call),
        open: (filters) =>
          listOf(address, (owner) =>
            listFrom(electionRecords(state, owner, heightsOf(filters).last)),
          ),
      }),
    challenges: ({ address }, call) => transactions(address, call, CHALLENGES),
    pendingTransactions: ({ address }, call) =>
      respondWithPage(state, call, {
        open: () => listOf(address, (owner) => listFrom(pendingRecords(state, owner))),
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
        ...(state.records === "full" && { meta: metaOf(state, { min_time, max_time, bucket }) }),
      };
    },
    stats: ({ address }) => {
      const owner = indexOf(address);
      const balance = owner === undefined ? 0n : balanceOf(owner);
      const now = state.clock.now();
      const age = Math.max(0, state.height - 1) / BLOCKS_AN_HOUR;
      // No record is older than the first block.
      const points = (most: number, hours: number) =>
        Array.from({ length: Math.min(most, 1 + Math.floor(age / hours)) }, (_, index) => ({
          timestamp: stampAt(now - index * hours * HOUR),
          balance,
        }));
      return {
        data: { last_day: points(24, 1), last_week: points(21, 8), last_month: points(30, 24) },
      };
    },
  };
};

/** Reads the filters of activity, elections and challenges, which no row declares. An invalid time causes a 404. */
function readFilters(state: LedgerState, { url }: Call) {
  const { chain, height } = state;
  const now = state.clock.now();
  const timeOf = (name: string, base: number): number | undefined => {
    const text = url.searchParams.get(name);
    return text === null ? base : timeReaders[state.times](text, base);
  };
  const end = timeOf("max_time", now);
  const start = url.searchParams.has("min_time") ? timeOf("min_time", end ?? now) : -Infinity;
  if (start === undefined || end === undefined) return ledgerError(404);
  const last = url.searchParams.has("max_time") ? chain.heightAt(end) - 1 : height;
  return {
    first: start === -Infinity ? 1 : Math.max(1, chain.heightBefore(start) + 1),
    last: Math.min(height, last),
    types: url.searchParams.get("filter_types") ?? "",
  };
}

function heightsOf(filters: CursorContent["filters"]): { first: number; last: number } {
  return { first: Number(filters["first"]), last: Number(filters["last"]) };
}
