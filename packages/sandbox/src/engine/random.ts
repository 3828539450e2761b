import { hashText } from "@fieldmesh/core/internal";

/** Numbers that look random and are the same in every run of the same seed. */
export interface Random {
  /** At least 0 and less than 1. */
  next(): number;
  /** From `min` to `max`, both included. */
  int(min: number, max: number): number;
  pick<const L extends readonly [unknown, ...unknown[]]>(list: L): L[number];
  /** Upper-case hexadecimal digits. */
  hex(digits: number): string;
  /** A GUID in the form of version 4. */
  guid(): string;
  /** Where the sequence is. Pass it to `createRandom` to continue from there. */
  position(): RandomPosition;
}

/** The state of a sequence: four words of 32 bits. */
export type RandomPosition = readonly [number, number, number, number];

/** Starts or continues a sequence. Each purpose has its own, so that one more fault does not change the ids that follow. */
export function createRandom(
  seed: number | string,
  purpose: string,
  from?: RandomPosition,
): Random {
  const counter = smallFastCounter(from ?? start(`${seed}/${purpose}`));
  const next = () => counter.step() / 2 ** 32;
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const hex = (digits: number) => Array.from({ length: digits }, () => HEX[int(0, 15)]).join("");
  return {
    next,
    int,
    hex,
    pick: (list) => list[int(0, list.length - 1)] ?? list[0],
    guid: () => toGuid(hex(32).toLowerCase()),
    position: counter.position,
  };
}

const HEX = "0123456789ABCDEF";

/** The version digit is 4 and the variant 8 to b, which is what strict readers of UUIDs ask for. */
function toGuid(hex: string): string {
  const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Chris Doty-Humphrey's sfc32: small, fast, and its 128 bits of state never meet in a test's life. */
function smallFastCounter([...words]: RandomPosition) {
  let [a, b, c, d] = words;
  return {
    step: (): number => {
      const sum = (a + b + d) | 0;
      d = (d + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = ((c << 21) | (c >>> 11)) + sum;
      return sum >>> 0;
    },
    position: (): RandomPosition => [a, b, c, d],
  };
}

function start(text: string): RandomPosition {
  const word = (seed: number): number => hashText(text, seed) | 0;
  const { step, position } = smallFastCounter([word(1), word(2), word(3), word(4)]);
  // The first words still show the seed.
  for (let i = 0; i < 12; i++) step();
  return position();
}
