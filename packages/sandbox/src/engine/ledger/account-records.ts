import { stampOf } from "./blocks.ts";
import type { LedgerState } from "./ledger-state.ts";
import { mix } from "./texts.ts";
import { OUTSIDE_BLOCKS, rewardAmount, transactionHash } from "./transactions.ts";

/** The balance of the richest account, in bones. It exceeds 2^53 and is odd, so that rounding would show. */
const MOST_BONES = 12_345_678_901_234_567n;

/** Returns the balance of an account, in bones. Accounts are numbered from the richest one down. */
export function balanceOf(index: number): bigint {
  return MOST_BONES / BigInt(index + 1);
}

/** Returns an account as a list shows it. `index` is `undefined` for an unknown account. */
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

/** The number of pending transactions of each known account. The first one was only received. */
const PENDING = 2;

/** Returns the single record of an account. `speculative_nonce` includes pending transactions. */
export function singleAccountRecord(
  state: LedgerState,
  address: string,
  index: number | undefined,
) {
  const record = accountRecord(state, address, index);
  if (index === undefined) return record;
  const speculative_nonce = record.nonce + PENDING;
  return { ...record, speculative_nonce, hotspot_count: state.hotspots };
}

export function pendingRecords(state: LedgerState, index: number) {
  const { chain, height } = state;
  const payer = chain.addresses.of(index);
  const payee = chain.addresses.of((index + 1) % state.accounts);
  const { nonce } = accountRecord(state, payer, index);
  return Array.from({ length: PENDING }, (_, number) => {
    const hash = transactionHash(state, height, OUTSIDE_BLOCKS + number);
    const txn = {
      type: "payment_v2",
      hash,
      payer,
      payments: [{ payee, amount: 1 + mix(index, number) }],
      nonce: nonce + 1 + number,
      fee: 35_000,
      signature: chain.transactionHashes.of(mix(index, number, 1)),
    };
    return {
      hash,
      type: "payment_v2",
      status: number === 0 ? "received" : "pending",
      created_at: stampOf(state, height),
      updated_at: stampOf(state, height),
      txn: number === 0 ? null : txn,
    };
  });
}

const MEMBERS = 4;
const MOST_ELECTIONS = 5;
const ELECTION_INTERVAL = 1_000;

/** Returns the elections of an account up to a height, newest first. */
export function electionRecords(state: LedgerState, index: number, last: number) {
  const { chain } = state;
  const newest =
    last - ((((last - index) % ELECTION_INTERVAL) + ELECTION_INTERVAL) % ELECTION_INTERVAL);
  const heights = Array.from(
    { length: MOST_ELECTIONS },
    (_, at) => newest - at * ELECTION_INTERVAL,
  );
  return heights
    .filter((height) => height >= 1)
    .map((height) => ({
      hash: transactionHash(state, height, OUTSIDE_BLOCKS + MEMBERS),
      type: "consensus_group_v1",
      height,
      time: chain.timeOf(height),
      delay: 0,
      proof: "AQID",
      members: Array.from({ length: MEMBERS }, (_, at) =>
        chain.gateways.of(((index + at) % state.accounts) * state.hotspots),
      ),
    }));
}

const NAMES = [
  ["calm", "quick", "tall", "mild", "brave"],
  ["copper", "amber", "olive", "slate", "ivory"],
  ["heron", "badger", "lynx", "otter", "finch"],
] as const;

export function hotspotRecord(state: LedgerState, account: number, number: number) {
  const index = account * state.hotspots + number;
  const added = 1 + (mix(index, 1) % Math.max(1, Math.min(500_000, state.firstHeight)));
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

export function rewardRecord(state: LedgerState, account: number, number: number, height: number) {
  const { chain, hotspots } = state;
  return {
    block: height,
    hash: transactionHash(state, height, 0),
    timestamp: stampOf(state, height),
    account: chain.addresses.of(account),
    gateway: chain.gateways.of(account * hotspots + number),
    amount: rewardAmount(account, number, height),
  };
}
