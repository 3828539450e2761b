import type { LedgerState } from "./ledger-state.ts";
import { mix } from "./texts.ts";

const NANOSECONDS_PER_SECOND = 1_000_000_000n;
const MOST_TRANSACTIONS = 1_000;
const WITNESSES = 4;
const CELL = "8c2681a3064d9ff";
const FEE = 35_000;
/** Differs much from the number of transactions in a block, so that the blocks of an account are far apart. */
const STRIDE = 7_919;
/** The approximate number of transactions of an account, which is the length of its history. */
const HISTORY = 240;
/** Each transaction has two accounts, and a block has fifty transactions on average. */
const PARTS_A_BLOCK = 100;

/** The types of transactions. A block has most of them. The two that the spec shows come first. */
export const TYPES = [
  "poc_request_v1",
  "poc_receipts_v1",
  "payment_v1",
  "payment_v2",
  "rewards_v1",
] as const;

type TransactionType = (typeof TYPES)[number];

/** The number of blocks between two rewards of a hotspot. */
export const BLOCKS_A_REWARD = 10;

/** The type whose records are whole challenges. */
export const CHALLENGES: readonly string[] = ["poc_receipts_v1"];

/** The first index of a record that no block shows. The blocks of the sandbox have fewer transactions. */
export const OUTSIDE_BLOCKS = 900;

export interface TransactionPlace {
  readonly height: number;
  readonly index: number;
}

/** Returns the hash of a transaction. An `index` beyond those of the block belongs to a record that no block shows. */
export function transactionHash(state: LedgerState, height: number, index: number): string {
  return state.chain.transactionHashes.of(height * MOST_TRANSACTIONS + index);
}

export function transactionAt(state: LedgerState, { height, index }: TransactionPlace) {
  const { chain } = state;
  const type = typeAt(height, index);
  const [subject, partner] = accountsOf(state, height, index);
  const text = (salt: number): string => chain.transactionHashes.of(mix(height, index, salt));
  const common = {
    time: chain.timeOf(height),
    signature: text(1),
    height,
    hash: transactionHash(state, height, index),
    fee: type.startsWith("payment") ? FEE : 0,
  };
  const payer = chain.addresses.of(subject);
  const payee = chain.addresses.of(partner);
  const amount = 1 + mix(height, index, 8);
  const nonce = 1 + (mix(height, index, 9) % MOST_TRANSACTIONS);
  const challenger = hotspotOf(state, subject, mix(height, index, 2));
  switch (type) {
    case "poc_request_v1":
      return {
        type,
        ...common,
        version: 10,
        secret_hash: text(3),
        owner: payer,
        onion_key_hash: text(4),
        location: CELL,
        lng: -122.41,
        lat: 37.77,
        challenger,
        block_hash: chain.block(height - 1).hash,
      };
    case "poc_receipts_v1":
      return {
        type,
        ...common,
        secret: text(5),
        path: [pathEntry(state, common.time, [subject, partner])],
        ...(state.records === "full" && { request_block_hash: chain.block(height - 1).hash }),
        onion_key_hash: text(4),
        challenger_owner: payer,
        challenger_loc: CELL,
        challenger,
      };
    case "payment_v1":
      return { type, ...common, payer, payee, amount, nonce };
    case "payment_v2":
      return { type, ...common, payer, payments: [{ payee, amount }], nonce };
    case "rewards_v1":
      return { type, ...common, ...rewardsOf(state, height, [subject, partner]) };
  }
}

/** Returns the positions of an account's transactions between two heights, newest first. Their blocks contain all of them. */
export function placesOf(
  state: LedgerState,
  account: number,
  { first, last, types }: { first: number; last: number; types: readonly string[] },
): TransactionPlace[] {
  const places: TransactionPlace[] = [];
  const accounts = Math.max(1, state.accounts);
  const lowest = Math.max(1, first, last - Math.ceil((HISTORY * accounts) / PARTS_A_BLOCK));
  for (let height = last; height >= lowest; height--) {
    const count = state.chain.transactionCount(height);
    // The account is the subject of a transaction, or the partner of the account before it.
    const own = (((account - height * STRIDE) % accounts) + accounts) % accounts;
    const indexes = new Set<number>();
    for (const start of [own, (own - 1 + accounts) % accounts])
      for (let index = start; index < count; index += accounts) indexes.add(index);
    for (const index of [...indexes].toSorted((a, b) => b - a)) {
      const type = typeAt(height, index);
      const isNamed = type !== "poc_request_v1" || index % accounts === own;
      if (isNamed && types.includes(type)) places.push({ height, index });
    }
  }
  return places;
}

function typeAt(height: number, index: number): TransactionType {
  // The reward records of the block name this transaction.
  if (index === 0 && height % BLOCKS_A_REWARD === 0) return "rewards_v1";
  const type = TYPES[mix(height, index) % TYPES.length] ?? "payment_v1";
  // A challenge begins in the block before, and the first block has none before it.
  return height === 1 && type.startsWith("poc_") ? "payment_v1" : type;
}

function accountsOf({ accounts }: LedgerState, height: number, index: number): [number, number] {
  const count = Math.max(1, accounts);
  const subject = (height * STRIDE + index) % count;
  return [subject, (subject + 1) % count];
}

function hotspotOf({ chain, hotspots }: LedgerState, account: number, number: number): string {
  return chain.gateways.of(account * hotspots + (number % Math.max(1, hotspots)));
}

/** Returns some of the rewards of a block: those of the hotspots of two accounts. */
function rewardsOf(state: LedgerState, height: number, accounts: readonly number[]) {
  const { chain } = state;
  return {
    start_epoch: Math.max(1, height - 30),
    end_epoch: height,
    rewards: accounts.flatMap((account) =>
      earningHotspots(state, height).map((number) => ({
        type: "poc_challengees",
        account: chain.addresses.of(account),
        gateway: hotspotOf(state, account, number),
        amount: rewardAmount(account, number, height),
      })),
    ),
  };
}

const ROUNDS_A_WEEK = (7 * 24 * 60) / BLOCKS_A_REWARD;

/** Returns how many hotspots of an account earn in each block with rewards: all, or as many as a week may have rewards for. */
export function earningCount({ hotspots, rewardsPerWeek }: LedgerState): number {
  return Math.max(1, Math.min(hotspots, Math.floor(rewardsPerWeek / ROUNDS_A_WEEK)));
}

/** Returns the numbers of the hotspots of an account that earn in a block with rewards, which take turns. */
export function earningHotspots(state: LedgerState, height: number): number[] {
  const count = earningCount(state);
  const before = (height / BLOCKS_A_REWARD) * count;
  return Array.from({ length: count }, (_, at) => (before + at) % Math.max(1, state.hotspots));
}

/** Returns what a hotspot earned in a block, in bones. */
export function rewardAmount(account: number, number: number, height: number): number {
  return 1_000_000 + (mix(account, number, height) % 9_000_000);
}

/** The receipt and the witnesses of a challenge. Their nanoseconds exceed 2^53 and are odd, so that rounding would show. */
function pathEntry(state: LedgerState, time: number, [subject, partner]: [number, number]) {
  const { chain } = state;
  const nanoseconds = BigInt(time) * NANOSECONDS_PER_SECOND + 123_456_789n;
  const challengee = hotspotOf(state, partner, 0);
  return {
    challengee,
    receipt: {
      timestamp: nanoseconds,
      signature: chain.transactionHashes.of(time),
      signal: -92,
      origin: "p2p",
      gateway: challengee,
      data: "AQID",
    },
    witnesses: Array.from({ length: WITNESSES }, (_, at) => {
      const owner = at % 2 === 0 ? partner : subject;
      return {
        timestamp: nanoseconds + BigInt(at),
        snr: 7.5 - at,
        signal: -100 - at,
        packet_hash: "6mZ2qW",
        owner: chain.addresses.of(owner),
        location: CELL,
        gateway: hotspotOf(state, owner, 1 + at),
        is_valid: at !== 1,
        ...(at === 1 && { invalid_reason: "witness_too_close" }),
        frequency: 904.7,
        channel: at,
        datarate: at === 2 ? [83, 70, 57] : "SF9BW125",
      };
    }),
  };
}
