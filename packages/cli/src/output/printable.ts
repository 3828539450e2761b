import { stripVTControlCharacters } from "node:util";

/** What a terminal would obey or show in another order: control characters, marks of direction and other invisible ones, and line breaks. */
const OBEYED = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** Returns what a server wrote as one line that a terminal only shows: without escape codes, control characters and line breaks. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(OBEYED, " ");
}

/** The same for several lines, with their line breaks and tabs. */
export function printableLines(text: string): string {
  return text.replaceAll(/[^\n\t]+/g, printable);
}

/** Escapes in JSON what a terminal would obey. The JSON has the same value. */
export function printableJson(json: string): string {
  // JSON escapes the first 32 itself: those outside of its strings are ours.
  return json.replaceAll(/[\u007F-\u009F\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(
      "",
    ),
  );
}

/** Begins a sentence. */
export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const HEX = 16;

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(HEX).padStart(4, "0")}`;
}
