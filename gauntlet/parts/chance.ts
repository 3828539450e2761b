import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Random numbers that are the same in every run of the same seed. */
export interface Chance {
  /** From `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** The list in a random order. */
  shuffle<T>(list: readonly T[]): T[];
  /** The bytes in up to eight parts of random lengths. */
  split(bytes: Buffer): Buffer[];
}

const MOST_CUTS = 7;

/** Starts a sequence. Each call of the gauntlet has its own, so that concurrent calls do not affect it. */
export function createChance(seed: number): Chance {
  const generator = xoroshiro128plus(seed);
  const int = (min: number, max: number) => uniformInt(generator, min, max);
  return {
    int,
    shuffle(list) {
      const left = [...list];
      return list.flatMap(() => left.splice(int(0, left.length - 1), 1));
    },
    split(bytes) {
      const cuts = Array.from({ length: int(0, MOST_CUTS) }, () => int(0, bytes.length));
      const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
    },
  };
}
