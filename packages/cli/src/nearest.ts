import { nearest as nearestOfCore } from "@fieldmesh/core/internal";

/**
 * Returns the candidate that the user most likely meant, if one is similar enough. Two letters in the wrong order are one mistake
 * here. In core they are two, so that no bundle of a client grows.
 */
export function nearest(mistyped: string, candidates: Iterable<string>): string | undefined {
  const known = [...candidates];
  return known.find((each) => isSwapped(mistyped, each)) ?? nearestOfCore(mistyped, known);
}

/** Tells whether two adjacent letters of a word in the other order make another word. */
function isSwapped(mistyped: string, word: string): boolean {
  if (mistyped.length !== word.length) return false;
  const at = mistyped.split("").findIndex((letter, place) => letter !== word[place]);
  if (at === -1) return false;
  const [first = "", second = ""] = mistyped.slice(at, at + 2).split("");
  return word === mistyped.slice(0, at) + second + first + mistyped.slice(at + 2);
}
