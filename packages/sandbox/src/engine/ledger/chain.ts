import { createAddresses } from "./addresses.ts";
import { createTexts, mix, type Texts } from "./texts.ts";

/** A chain of blocks. Each block is computed on request, without the others. */
export interface Chain {
  /** Returns the height of the chain at a time, in milliseconds since 1970. */
  heightAt(time: number): number;
  /** Returns the height of the newest block whose time is before a time, in milliseconds since 1970. A block at that time does not count. */
  heightBefore(time: number): number;
  /** Returns the time of a block, in Unix seconds. */
  timeOf(height: number): number;
  block(height: number): BlockRecord;
  transactionCount(height: number): number;
  /** Returns the height of the block with a hash, or `undefined` if no block has it. */
  heightOf(hash: string): number | undefined;
  readonly transactionHashes: Texts;
  readonly addresses: Texts;
  readonly gateways: Texts;
}

/** A block descriptor, as it is sent. */
export interface BlockRecord {
  readonly hash: string;
  readonly height: number;
  /** Missing in the first block (observed). */
  readonly prev_hash?: string;
  readonly time: number;
  readonly transaction_count: number;
  readonly snapshot_hash: string;
}

const SECOND = 1_000;
const HASH_LENGTH = 43;
const FEWEST_TRANSACTIONS = 20;
const SPREAD = 60;
/** The number of blocks between two snapshots. */
const SNAPSHOT_INTERVAL = 720;

/** Creates a chain with `height` blocks at `start`, and one more after each interval. */
export function createChain(
  seed: number | string,
  { height, start, interval }: { height: number; start: number; interval: number },
): Chain {
  const hashes = createTexts(seed, "ledger blocks", { length: HASH_LENGTH });
  const snapshots = createTexts(seed, "ledger snapshots", { length: HASH_LENGTH });
  // A chain that does not grow still has a past.
  const spacing = Number.isFinite(interval) ? interval : DEFAULT_INTERVAL;
  const timeOf = (at: number): number => Math.floor((start - (height - at) * spacing) / SECOND);
  const transactionCount = (at: number): number => FEWEST_TRANSACTIONS + (mix(at) % SPREAD);
  const heightAt = (time: number): number => {
    const passed = (time - start) / spacing;
    const grown = Number.isFinite(interval) || passed < 0 ? Math.floor(passed) : 0;
    return Math.max(0, height + grown);
  };
  return {
    transactionCount,
    heightAt,
    // Blocks show whole seconds.
    heightBefore: (time) => heightAt(Math.ceil(time / SECOND) * SECOND - 1),
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
