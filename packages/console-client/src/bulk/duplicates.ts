import { hashText } from "@fieldmesh/core";

// Half full at most: a look-up then meets two slots on average.
const MAX_LOAD = 0.5;
const FIRST_CAPACITY = 2_048;
const WORDS = 3;

/** Remembers where each text was seen first, in 24 to 48 bytes a text instead of the text itself. */
export interface FirstSeen {
  /** Gives the index at which the text was seen before, or remembers this one and gives `undefined`. */
  see(text: string, index: number): number | undefined;
}

/**
 * Makes such a memory. Texts are told apart by 64 bits of hash, seeded anew each time: among a million texts two
 * different ones are taken for the same with a probability of 3 in 100 million.
 */
export function createFirstSeen(): FirstSeen {
  const seed = Math.floor(Math.random() * 2 ** 32);
  let capacity = FIRST_CAPACITY;
  // A slot holds two words of hash and index + 1, so that 0 says that it is free.
  let slots = new Uint32Array(capacity * WORDS);
  let size = 0;

  function slotOf(high: number, low: number): number {
    for (let slot = low % capacity; ; slot = (slot + 1) % capacity) {
      const at = slot * WORDS;
      if (slots[at + 2] === 0 || (slots[at] === high && slots[at + 1] === low)) return at;
    }
  }

  function grow(): void {
    const old = slots;
    capacity *= 2;
    slots = new Uint32Array(capacity * WORDS);
    for (let at = 0; at < old.length; at += WORDS) {
      if (old[at + 2] !== 0)
        slots.set(old.subarray(at, at + WORDS), slotOf(old[at] ?? 0, old[at + 1] ?? 0));
    }
  }

  return {
    see(text, index) {
      const [high, low] = hashText(text, seed);
      const at = slotOf(high, low);
      const seen = slots[at + 2] ?? 0;
      if (seen !== 0) return seen - 1;
      slots.set([high, low, index + 1], at);
      size++;
      if (size > capacity * MAX_LOAD) grow();
      return undefined;
    },
  };
}
