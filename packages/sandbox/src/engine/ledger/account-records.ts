import { stampOf } from "./blocks.ts";
import type { LedgerState } from "./ledger-state.ts";
import { mix } from "./texts.ts";

/** What the richest account has, in bones: beyond 2^53, and odd, so that rounding shows. */
const MOST_BONES = 12_345_678_901_234_567n;

/** The balance of an account, in bones; the accounts are numbered from the richest down. */
export function balanceOf(index: number): bigint {
  return MOST_BONES / BigInt(index + 1);
}

/** An account as it is in a list; `index` is `undefined` for one that was never seen. */
export function accountRecord(state: LedgerState, address: string, index: number | undefined) {
  const known = index !== undefined;
  return {
    address,
    balance: known ? balanceOf(index) : 0,
    dc_balance: known ? mix(index) % 1_000_000 : 0,
    sec_balance: 0,
    staked_balance: 0,
    nonce: known ? index % 7 : 0,
    dc_nonce: 0,
    sec_nonce: 0,
    block: known ? state.height : null,
  };
}

const NAMES = [
  ["calm", "quick", "tall", "mild", "brave"],
  ["copper", "amber", "olive", "slate", "ivory"],
  ["heron", "badger", "lynx", "otter", "finch"],
] as const;

/** A hotspot of an account. */
export function hotspotRecord(state: LedgerState, account: number, number: number) {
  const index = account * state.hotspots + number;
  const added = 1 + (mix(index, 1) % 500_000);
  return {
    address: state.chain.gateways.of(index),
    name: NAMES.map((words, at) => words[mix(index, at) % words.length]).join("-"),
    mode: "full",
    owner: state.chain.addresses.of(account),
    payer: state.chain.addresses.of(account),
    location: "8c2681a3064d9ff",
    lat: 37.77,
    lng: -122.41,
    elevation: 3,
    gain: 12,
    geocode: {
      short_city: "SF",
      long_city: "San Francisco",
      short_country: "US",
      long_country: "United States",
      short_state: null,
      long_state: null,
      short_street: null,
      long_street: null,
      city_id: null,
    },
    status: { online: "online", height: state.height },
    nonce: 1,
    block: state.height,
    block_added: added,
    timestamp_added: stampOf(state, added),
    last_change_block: added,
    reward_scale: 0.75,
  };
}

/** Every hotspot earns something in every so many blocks. */
export const BLOCKS_A_REWARD = 10;

/** The reward of a hotspot in a block. */
export function rewardRecord(state: LedgerState, account: number, number: number, height: number) {
  const { chain, hotspots } = state;
  return {
    block: height,
    hash: chain.transactionHashes.of(height),
    timestamp: stampOf(state, height),
    account: chain.addresses.of(account),
    gateway: chain.gateways.of(account * hotspots + number),
    amount: rewardAmount(account, number, height),
  };
}

/** What a hotspot earned in a block, in bones. */
export function rewardAmount(account: number, number: number, height: number): number {
  return 1_000_000 + (mix(account, number, height) % 9_000_000);
}
