import { createAddresses } from "./addresses.ts";
import { createTexts, mix, type Texts } from "./texts.ts";

/** A chain of a million blocks, each worked out when it is asked for, without the others. */
export interface Chain {
  /** The highest block at a time, in milliseconds since 1970. */
  heightAt(time: number): number;
  /** When a block was made, in Unix seconds. */
  timeOf(height: number): number;
  block(height: number): BlockRecord;
  transactionCount(height: number): number;
  /** The height of a block's hash, or `undefined` for a hash that no block has. */
  heightOf(hash: string): number | undefined;
  readonly transactionHashes: Texts;
  readonly addresses: Texts;
  readonly gateways: Texts;
}

/** A block descriptor, as it is on the wire. */
export interface BlockRecord {
  readonly hash: string;
  readonly height: number;
  /** Missing of the first block (observed). */
  readonly prev_hash?: string;
  readonly time: number;
  readonly transaction_count: number;
  readonly snapshot_hash: string;
}

const SECOND = 1_000;
const HASH_LENGTH = 43;
const FEWEST_TRANSACTIONS = 20;
const SPREAD = 60;
/** Every so many blocks a snapshot is taken. */
const SNAPSHOT_INTERVAL = 720;

/** Creates a chain that has `height` blocks at `start`, and one more each interval from then on. */
export function createChain(
  seed: number | string,
  { height, start, interval }: { height: number; start: number; interval: number },
): Chain {
  const hashes = createTexts(seed, "ledger blocks", { length: HASH_LENGTH });
  const snapshots = createTexts(seed, "ledger snapshots", { length: HASH_LENGTH });
  // A chain that does not grow has a past too.
  const spacing = Number.isFinite(interval) ? interval : DEFAULT_INTERVAL;
  const timeOf = (at: number): number => Math.floor((start - (height - at) * spacing) / SECOND);
  const transactionCount = (at: number): number => FEWEST_TRANSACTIONS + (mix(at) % SPREAD);
  return {
    transactionCount,
    heightAt(time) {
      const passed = (time - start) / spacing;
      const grown = Number.isFinite(interval) || passed < 0 ? Math.floor(passed) : 0;
      return Math.max(0, height + grown);
    },
    timeOf,
    block: (at) => ({
      hash: hashes.of(at),
      height: at,
      ...(at > 1 && { prev_hash: hashes.of(at - 1) }),
      time: timeOf(at),
      transaction_count: transactionCount(at),
      snapshot_hash: at % SNAPSHOT_INTERVAL === 0 ? snapshots.of(at) : "",
    }),
    heightOf: (hash) => hashes.numberOf(hash),
    transactionHashes: createTexts(seed, "ledger transactions", { length: HASH_LENGTH }),
    addresses: createAddresses(seed, "account"),
    gateways: createAddresses(seed, "hotspot"),
  };
}

/** Milliseconds between two blocks, as on the running chain. */
export const DEFAULT_INTERVAL = 60_000;
