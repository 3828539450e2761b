// SHA-256 and base58 from npm: the engine imports nothing from Node, and the Web has no synchronous hash.
import { createBase58check } from "@scure/base";
import { sha256 } from "@noble/hashes/sha2.js";
import { createRandom } from "../random.ts";
import { mix, type Texts } from "./texts.ts";

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
export const KEY_TYPES = { account: 1, hotspot: 0 } as const;

/** Creates addresses of one kind: base58 with a checksum, which some clients validate, computed from number and seed. */
export function createAddresses(seed: number | string, kind: keyof typeof KEY_TYPES): Texts {
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
