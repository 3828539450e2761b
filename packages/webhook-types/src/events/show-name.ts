import { nearest } from "@fieldmesh/core/internal";

const LONGEST = 100;
/** Line breaks, terminal escape codes, marks that change the direction of text, and half surrogate pairs. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Returns an id or a type in a form for a line of a log, because the sender must not be able to add lines to it. */
export function showName(name: string): string {
  const shown = name
    .slice(0, LONGEST)
    .replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return name.length > LONGEST ? `${shown}…` : shown;
}

export function showEvent({ id, type }: { readonly id: string; readonly type: string }): string {
  return `${showName(type)} (${showName(id)})`;
}

/** Returns a suggestion for a misspelled name, to end a message with, or an empty string if none is similar. */
export function didYouMean(mistyped: unknown, candidates: Iterable<string>): string {
  const meant = nearest(String(mistyped), candidates);
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}
