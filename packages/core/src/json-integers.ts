// JSON.parse rounds a long integer, so the text gives it a string instead: `12345678901234567890` becomes
// `"<mark>12345678901234567890"`, and in the parsed value what begins with the mark becomes a bigint.
// This is exact, because
// - no string of the text begins with the mark: `absentMark`;
// - a number and a string stand in the same places of JSON, except before a colon: there nothing is marked;
// - a mark within a string makes the text invalid: see `parseMarked`.
// It needs no source text access of the runtime, and costs a quarter of a reviver that has it.

/** 2^53 has 16 digits: shorter integers are safe. */
const SHORTEST = 16;

/** A control character that JSON may hold as it is, that keeps a Latin-1 text Latin-1, and that nobody uses. */
const MARK = "\u0091";
const ESCAPED_MARK = "\\u0091";
const MARKS = /\u0091+/g;
/** Ends a mark of several, so that a longer run of them does not begin with it. */
const MARK_END = "\u0092";

/** Gives a mark that no string in this JSON text contains, neither as it is nor escaped. */
export function absentMark(text: string): string {
  if (!text.includes(MARK) && !text.includes(ESCAPED_MARK)) return MARK;
  // The shortest run that the text does not have. All shorter ones are there, so it is short: whoever wants a long one,
  // to stand before every integer, has to write a text of half its square.
  const runs = new Set<number>();
  for (const [run] of text.replaceAll(ESCAPED_MARK, MARK).matchAll(MARKS)) runs.add(run.length);
  let length = 1;
  while (runs.has(length)) length += 1;
  return MARK.repeat(length) + MARK_END;
}

/** Makes a marked string of every integer that may be unsafe; some may stand within a string. */
export function markIntegers(text: string, mark: string): string {
  const opening = `"${mark}`;
  let marked = "";
  let done = 0;
  // Every run of 16 digits has one at a position that is a multiple of 16, counted from the last run.
  for (let probe = SHORTEST - 1; probe < text.length; probe += SHORTEST) {
    if (!isDigit(text.charCodeAt(probe))) continue;
    let start = probe;
    while (isDigit(text.charCodeAt(start - 1))) start -= 1;
    let end = probe + 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    probe = end;
    if (end - start < SHORTEST || text.charCodeAt(start) === ZERO) continue;
    if (text.charCodeAt(start - 1) === MINUS) start -= 1;
    if (!beginsToken(text, start) || !endsValue(text, end)) continue;
    marked += text.slice(done, start) + opening + text.slice(start, end) + '"';
    done = end;
  }
  return done === 0 ? text : marked + text.slice(done);
}

/** As `markIntegers`, for a text whose strings hold what looks like integers: about twice as slow. */
export function markIntegersOutsideStrings(text: string, mark: string): string {
  let marked = "";
  let done = 0;
  for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', done)) {
    marked += markIntegers(text.slice(done, quote), mark);
    done = endOfString(text, quote);
    marked += text.slice(quote, done);
  }
  return marked + markIntegers(text.slice(done), mark);
}

function endOfString(text: string, start: number): number {
  for (
    let quote = text.indexOf('"', start + 1);
    quote !== -1;
    quote = text.indexOf('"', quote + 1)
  ) {
    let slash = quote;
    while (text.charCodeAt(slash - 1) === BACKSLASH) slash -= 1;
    if ((quote - slash) % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Makes integers of all marked strings in a parsed value, in place. */
export function unmarkIntegers(root: unknown, mark: string): unknown {
  if (typeof root === "string") return root.startsWith(mark) ? toInteger(root, mark) : root;
  // A list of what is left, because JSON.parse takes a nesting that a recursion would not.
  const left: unknown[] = [root];
  for (let holder = left.pop(); holder !== undefined; holder = left.pop()) {
    if (Array.isArray(holder)) {
      for (let i = 0; i < holder.length; i += 1) {
        const value: unknown = holder[i];
        if (typeof value === "object") {
          if (value !== null) left.push(value);
        } else if (typeof value === "string" && value.startsWith(mark)) {
          holder[i] = toInteger(value, mark);
        }
      }
      continue;
    }
    const record = holder as Record<string, unknown>;
    // oxlint-disable-next-line guard-for-in -- twice as fast as Object.keys; what is inherited is left alone below
    for (const key in record) {
      const value = record[key];
      if (typeof value === "object") {
        if (value !== null && Object.hasOwn(record, key)) left.push(value);
      } else if (typeof value === "string" && value.startsWith(mark)) {
        if (Object.hasOwn(record, key)) record[key] = toInteger(value, mark);
      }
    }
  }
  return root;
}

function toInteger(marked: string, mark: string): number | bigint {
  const digits = marked.slice(mark.length);
  // With more digits, and a sign, it cannot be safe.
  if (digits.length > SHORTEST + 1) return BigInt(digits);
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

/** Not the digits behind a point, nor those of an exponent. */
function beginsToken(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  return (
    start === 0 || before === COLON || before === COMMA || before === BRACKET || isSpace(before)
  );
}

/** Not a number with a fraction or an exponent, and not a key. */
function endsValue(text: string, end: number): boolean {
  let next = end;
  while (isSpace(text.charCodeAt(next))) next += 1;
  const after = text.charCodeAt(next);
  return (
    next === text.length || after === COMMA || after === CLOSING_BRACE || after === CLOSING_BRACKET
  );
}

const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
