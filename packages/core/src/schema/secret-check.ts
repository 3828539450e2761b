import { base64Of, decoderOf, visible, withoutSeparators } from "./decodings.ts";

/** Tells whether a string contains a secret or a part of one. */
export type HoldsSecret = (text: string) => boolean;

// A shorter part reveals little of a secret, and many words contain it.
const PART = 8;
// Shorter secrets, such as a country code, occur in half of all words.
const SHORTEST = 4;
// A server, and a proxy in front of it, may each have encoded the string.
const MOST_CODINGS = 2;
// In a longer string, only one encoding is undone. Of a longer secret, parts of fifteen characters are found. This limits time
// and memory.
const LONG = 10_000;
// The search looks at four characters in each step of a string. Any part of a secret in it contains those of one step.
const SEED = 4;
const STRIDE = PART - SEED + 1;
const ASCII = /^[\0-\x7f]*$/;

/**
 * Creates a check for the secrets of a call. It finds any eight consecutive characters of a secret: in any letter case, with any
 * separators, escaped for JSON, HTML or URLs, in hexadecimal, or in base64. A secret of fewer than eight characters must occur
 * whole, and one of fewer than four exactly as it was sent.
 *
 * A run of one character, such as the zeros of an EUI, does not count as a part, unless the secret consists of it.
 *
 * If `isWhole` is set, only whole secrets are found, and those of fewer than eight characters exactly as they are: a program that
 * works with EUIs, times and codes writes parts of its secrets by chance.
 */
export function createSecretCheck(secrets: Iterable<string>, isWhole = false): HoldsSecret {
  const parts = new Set<string>();
  const seeds = new Set<number>();
  const whole = new Set<string>();
  const asSent = new Set<string>();
  // Stryker disable next-line BooleanLiteral: Decides only between a quick way and a thorough one with the same result.
  let isAscii = true;
  for (const secret of new Set(secrets)) {
    if (visible(secret).length < (isWhole ? PART : SHORTEST)) asSent.add(secret);
    // Some letters change in upper case: "ß" becomes "SS".
    else new Set([secret, secret.toUpperCase()].flatMap(formsOf)).forEach(addForm);
    // If a header name is base64, lower-casing has destroyed it, so it cannot be decoded.
    if (secret.length >= PART && secret.length <= LONG)
      for (const form of base64Of(secret)) addForm(withoutSeparators(form.toLowerCase()));
  }
  asSent.delete("");
  const shortest = Array.from(whole).reduce((least, { length }) => Math.min(least, length), PART);
  const decodings = decoderOf(shortest, isAscii);

  function addForm(form: string): void {
    isAscii &&= ASCII.test(form);
    const found = isWhole
      ? []
      : partsOf(form).filter((part) => part !== part.charAt(0).repeat(PART));
    if (found.length === 0) return void whole.add(form);
    for (const part of found) parts.add(part);
    for (let at = 0; at + SEED <= form.length; at++) seeds.add(seedAt(form, at));
  }

  function isIn(text: string): boolean {
    for (let at = 0; at + SEED <= text.length; at += STRIDE)
      if (seeds.has(seedAt(text, at)) && isPartAround(text, at)) return true;
    for (const form of whole) if (text.includes(form)) return true;
    return false;
  }

  function isPartAround(text: string, seed: number): boolean {
    // Stryker disable next-line MethodExpression: Looks at more places, where a part is one too.
    for (let at = Math.max(0, seed - STRIDE + 1); at <= seed; at++)
      if (parts.has(text.slice(at, at + PART))) return true;
    return false;
  }

  function holds(text: string, codings: number): boolean {
    // An encoded form is longer still.
    if (text.length < shortest) return false;
    const small = text.toLowerCase();
    const bare = withoutSeparators(small);
    if (isIn(small) || (bare !== small && isIn(bare))) return true;
    if (codings === 0) return false;
    for (const decoded of decodings(text, bare))
      if (holds(visible(decoded), codings - 1)) return true;
    return false;
  }

  return (text) => {
    for (const each of asSent) if (text.includes(each)) return true;
    if (parts.size + whole.size === 0) return false;
    return holds(visible(text), text.length > LONG ? 1 : MOST_CODINGS);
  };
}

/** Returns the string in lower case, and without separators if enough characters remain to compare. */
function formsOf(secret: string): string[] {
  const small = visible(secret).toLowerCase();
  const bare = withoutSeparators(small);
  const enough = small.length < PART ? SHORTEST : PART;
  return bare.length < enough ? [small] : [small, bare];
}

/** Packs four characters into a number, which is cheaper than copying them. Different characters may produce the same number. */
function seedAt(text: string, at: number): number {
  let seed = 0;
  for (let index = at; index < at + SEED; index++) seed = (seed << 7) ^ text.charCodeAt(index);
  return seed;
}

function partsOf(form: string): string[] {
  const step = form.length > LONG ? PART : 1;
  const count = Math.max(0, Math.ceil((form.length - PART + 1) / step));
  return Array.from({ length: count }, (_, index) => form.slice(index * step, index * step + PART));
}
