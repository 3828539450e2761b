import { createRandom } from "../random.ts";

/** Base58: digits and letters without those that look alike. */
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const INDEX_DIGITS = 7;

/** Hashes or addresses. Each is computed from its number and the seed, so a million of them need no memory. */
export interface Texts {
  of(number: number): string;
  /** The number of a string, or `undefined` for a string that is not one of these. */
  numberOf(text: string): number | undefined;
}

export function createTexts(
  seed: number | string,
  kind: string,
  { length }: { length: number },
): Texts {
  const shift = createRandom(seed, kind).int(0, 2 ** 31);
  const of = (number: number): string =>
    scramble(shift + number, length - INDEX_DIGITS) + toBase58(number);
  return {
    of,
    numberOf(text) {
      const number = fromBase58(text.slice(-INDEX_DIGITS));
      return number !== undefined && of(number) === text ? number : undefined;
    },
  };
}

/** Returns a number from 0 to 2^32-1 that looks random and depends only on the arguments: a round of SplitMix. */
export function mix(...numbers: readonly number[]): number {
  let state = 0x9e3779b9;
  for (const number of numbers) {
    state = Math.imul(state ^ (number | 0) ^ Math.floor(number / 2 ** 32), 0x85ebca6b);
    state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
    state ^= state >>> 16;
  }
  return state >>> 0;
}

function scramble(start: number, length: number): string {
  let text = "";
  let state = mix(start);
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += BASE58[(state >>> 8) % BASE58.length];
  }
  return text;
}

function toBase58(number: number): string {
  let text = "";
  for (let rest = number, at = 0; at < INDEX_DIGITS; at++, rest = Math.floor(rest / BASE58.length))
    text = (BASE58[rest % BASE58.length] ?? "") + text;
  return text;
}

function fromBase58(text: string): number | undefined {
  let number = 0;
  for (const digit of text) {
    const value = BASE58.indexOf(digit);
    if (value === -1) return undefined;
    number = number * BASE58.length + value;
  }
  return number;
}
