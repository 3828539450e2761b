const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Splits a JSON array, after its first bracket, into the strings of its elements. One of more than `maxBytes` ends it. */
export function splitArray(maxBytes: number) {
  /** The beginning of an element that the last text did not end. */
  let begun = "";
  let depth = 0;
  let inString = false;
  /** How many backslashes are before the place that is read, in a string. */
  let escapes = 0;
  let count = 0;
  let end: "complete" | "not JSON" | "too long" | undefined;

  /** Reads the next part of the array, and returns the elements that end in it. */
  function push(text: string): string[] {
    if (end !== undefined) {
      // Only white space may follow an array.
      if (end === "complete" && text.trim() !== "") end = "not JSON";
      return [];
    }
    const elements: string[] = [];
    let from = 0;
    for (let at = inString ? skipString(text, 0) : 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = skipString(text, at + 1) - 1;
      else if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth++;
      else if (depth > 0) {
        if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth--;
      } else if (code === CLOSE_OBJECT) {
        end = "not JSON";
        break;
      } else if (code === COMMA || code === CLOSE_ARRAY) {
        const element = begun + text.slice(from, at);
        const isLast = code === CLOSE_ARRAY;
        begun = "";
        from = at + 1;
        // An array without elements is empty or white space.
        if (isLast && count === 0 && element.trim() === "") end = "complete";
        else if (isLonger(element, maxBytes)) end = "too long";
        else {
          elements.push(element);
          count++;
          if (isLast) end = "complete";
        }
        if (end !== undefined) break;
      }
    }
    if (end === "complete" && text.slice(from).trim() !== "") end = "not JSON";
    if (end !== undefined) return elements;
    begun += text.slice(from);
    if (begun.length > maxBytes) end = "too long";
    return elements;
  }

  /** Returns the place after the quote that ends a string, or the end of the part. Most of a list is strings, so this is its cost. */
  function skipString(text: string, from: number): number {
    for (let at = from; ;) {
      const quote = text.indexOf('"', at);
      const stop = quote === -1 ? text.length : quote;
      let start = stop;
      while (start > at && text.charCodeAt(start - 1) === BACKSLASH) start--;
      escapes = stop - start + (start === 0 ? escapes : 0);
      const isEscaped = escapes % 2 === 1;
      inString = quote === -1 || isEscaped;
      if (quote === -1) return stop;
      escapes = 0;
      at = quote + 1;
      if (!isEscaped) return at;
    }
  }

  return {
    push,
    /** Why nothing more is read: the array has ended, it is not JSON, or an element is too long. */
    get end() {
      return end;
    },
  };
}

/** Counts bytes only where the number of characters does not decide: a character has one to three bytes. */
function isLonger(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && new TextEncoder().encode(text).byteLength > maxBytes;
}
