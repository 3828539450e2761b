import { createTexts, mix, type Texts } from "./texts.ts";
import { createBase58check } from "@scure/base";
import { sha256 } from "@noble/hashes/sha2.js";
import { createRandom } from "../random.ts";

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

// SHA-256 and base58 from npm: the engine imports nothing from Node, and the Web has no synchronous hash.

const base58check = createBase58check(sha256);

/** An address contains a version, the type of its key, and a key of 32 bytes. */
const LENGTH = 34;
const TYPE_AT = 1;
const WORD = 4;
/** The number is in the last six bytes: up to 2^48. */
const NUMBER_AT = LENGTH - 6;
/** Pages repeat the same few accounts, and a checksum costs two hashes. */
const MOST_REMEMBERED = 10_000;

/** The types of keys. Addresses of accounts begin with 13 or 14, those of hotspots with 11. */
const KEY_TYPES = { account: 1, hotspot: 0 } as const;

/** Creates addresses of one kind: base58 with a checksum, which some clients validate, computed from number and seed. */
function createAddresses(seed: number | string, kind: keyof typeof KEY_TYPES): Texts {
  const shift = createRandom(seed, `ledger ${kind}`).int(0, 2 ** 31);
  const remembered = new Map<number, string>();

  function write(number: number): string {
    const bytes = new Uint8Array(LENGTH);
    const view = new DataView(bytes.buffer);
    for (let at = TYPE_AT + 1; at + WORD <= NUMBER_AT; at += WORD)
      view.setUint32(at, mix(shift, number, at));
    bytes[TYPE_AT] = KEY_TYPES[kind];
    view.setUint16(NUMBER_AT, Math.floor(number / 2 ** 32));
    view.setUint32(NUMBER_AT + 2, number >>> 0);
    return base58check.encode(bytes);
  }

  function of(number: number): string {
    const known = remembered.get(number);
    if (known !== undefined) return known;
    const address = write(number);
    if (remembered.size === MOST_REMEMBERED) remembered.clear();
    remembered.set(number, address);
    return address;
  }

  return {
    of,
    numberOf(address) {
      const number = read(address);
      return number !== undefined && of(number) === address ? number : undefined;
    },
  };
}

function read(address: string): number | undefined {
  try {
    const bytes = base58check.decode(address);
    if (bytes.length !== LENGTH) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    return view.getUint16(NUMBER_AT) * 2 ** 32 + view.getUint32(NUMBER_AT + 2);
  } catch {
    return undefined;
  }
}
