const LONGEST = 100;
/** Line breaks, escape codes of terminals, marks that turn the direction of text, and halves of characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Returns an id or a type as a line may show it: the sender must not write a line of its own into a log. */
export function showName(name: string): string {
  const shown = name
    .slice(0, LONGEST)
    .replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return name.length > LONGEST ? `${shown}…` : shown;
}

/** Returns the type and the id of an event for a line. */
export function showEvent({ id, type }: { readonly id: string; readonly type: string }): string {
  return `${showName(type)} (${showName(id)})`;
}
