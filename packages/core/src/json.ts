// Why it is so: docs/decisions/06-no-integer-is-rounded.md
import { anything } from "./checks.ts";
import { mistake, readInput, requires } from "./mistake.ts";
import { JsonSyntaxError, LongIntegerError, MAX_DIGITS } from "./json-syntax-error.ts";
import { options } from "./options.ts";
import { isSecret } from "./secret.ts";

export { JsonSyntaxError } from "./json-syntax-error.ts";

/**
 * Parses JSON without rounding any integer.
 *
 * Works like `JSON.parse`, but an integer outside ±(2^53-1) becomes a `bigint`. A number with a fraction or an exponent stays a
 * number, however large. A field `__proto__` is dropped, because a copy of the object would use it as its prototype. Throws a
 * {@link JsonSyntaxError}, whose message quotes nothing from the string. An integer of more than 1,000 digits throws it too.
 *
 * @example
 * ```ts
 * parseJson('{"balance": 12345678901234567890, "height": 12}'); // { balance: 12345678901234567890n, height: 12 }
 * ```
 */
export function parseJson(text: string): unknown {
  if (typeof text !== "string") throw requires("parseJson", "a string", text);
  try {
    // A reviver takes several times as long as the parsing, and most strings need none.
    if (mayHaveProto(text)) return JSON.parse(text, revive);
    const marked = markLongIntegers(text);
    return marked === undefined ? JSON.parse(text) : parseMarked(marked, text);
  } catch (error) {
    throw new JsonSyntaxError(text, error as SyntaxError | RangeError);
  }
}

/** An escape may represent any letter of the name. */
function mayHaveProto(text: string): boolean {
  // V8 finds the short string in half the time, and most texts contain neither.
  const isPlain = text.includes("__p") && text.includes("__proto__");
  return isPlain || (text.includes("\\u00") && ESCAPED_LETTER.test(text));
}

const ESCAPED_LETTER = /\\u00(?:5f|6f|7[024])/i;

/** 2^53 has 16 digits: shorter integers are safe. */
const SHORTEST = 16;
/** A control character that strings rarely contain, and that JSON never contains outside of strings. */
const MARK = "\u0091";
const BEFORE_INTEGER = /^[\s:,[]?$/;
/** In the place of a key, a colon follows. */
const AFTER_INTEGER = /\s*(?:[,\]}]|$)/y;

/**
 * Puts each long integer, and what looks like one in a string, into a string that begins with a mark. Returns `undefined` if there
 * is none. Looks at every 16th character only: a run of 16 digits always includes one of them.
 */
function markLongIntegers(text: string): string | undefined {
  let marked = "";
  let copied = 0;
  for (let probe = SHORTEST - 1; probe < text.length; probe += SHORTEST) {
    if (!isDigit(text, probe)) continue;
    let start = probe;
    while (isDigit(text, start - 1)) start--;
    while (isDigit(text, probe + 1)) probe++;
    const end = probe + 1;
    // JSON has no number that begins with zero.
    if (end - start < SHORTEST || text.charCodeAt(start) === ZERO) continue;
    if (text.charAt(start - 1) === "-") start--;
    AFTER_INTEGER.lastIndex = end;
    if (!BEFORE_INTEGER.test(text.charAt(start - 1)) || !AFTER_INTEGER.test(text)) continue;
    marked += `${text.slice(copied, start)}"${MARK}${text.slice(start, end)}"`;
    copied = end;
  }
  return copied === 0 ? undefined : marked + text.slice(copied);
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= ZERO && code <= NINE;
}

const ZERO = 0x30;
const NINE = 0x39;

function parseMarked(marked: string, text: string): unknown {
  if (!text.includes(MARK) && !text.includes("\\u0091")) {
    try {
      const root = [JSON.parse(marked) as unknown];
      unmark(root);
      return root[0];
    } catch {
      // The text is not JSON, or a string contains what looks like a long integer: the added quote ends that string, and the mark
      // after it is never JSON.
    }
  }
  return JSON.parse(text, revive);
}

/** Converts in place. A text that may contain `__proto__` does not come here, so an assignment only replaces values. */
function unmark(value: object): void {
  const parent = value as Record<string, unknown>;
  for (const key of Object.keys(parent)) {
    const each = parent[key];
    // Only what changes is written: a write takes as long as all the rest.
    if (typeof each === "object" && each !== null) unmark(each);
    else if (typeof each === "string" && each.startsWith(MARK))
      parent[key] = readInteger(each.slice(1));
  }
}

// The library types of TypeScript do not declare the third argument yet.
const revive = ((key: string, value: unknown, { source }: { source: string }): unknown => {
  if (key === "__proto__") return undefined;
  return typeof value === "number" && /^-?\d+$/.test(source) ? readInteger(source) : value;
}) as (key: string, value: unknown) => unknown;

function readInteger(digits: string): number | bigint {
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return value;
  if (digits.replace("-", "").length > MAX_DIGITS) throw new LongIntegerError();
  return BigInt(digits);
}

/** Options of {@link stringifyJson}. */
export interface StringifyJsonOptions {
  /**
   * Writes the values of secrets instead of `[redacted]`. Use it to send them or to store them deliberately.
   *
   * @default false
   */
  reveal?: boolean | undefined;
  /** Same as in `JSON.stringify`. */
  space?: number | string | undefined;
}

/**
 * Writes JSON without rounding any integer.
 *
 * Works like `JSON.stringify`, but writes a `bigint` as an integer, whatever `BigInt.prototype.toJSON` says. `parseJson` reads
 * the same value back, except that a `bigint` within ±(2^53-1) becomes a number. A number outside that range is written with an
 * exponent. Throws a TypeError for a cycle, for a value that JSON cannot express, such as `undefined`, and for a `bigint` of more
 * than 1,000 digits.
 *
 * @example
 * ```ts
 * stringifyJson({ balance: 12345678901234567890n }); // '{"balance":12345678901234567890}'
 * stringifyJson({ app_key: new Secret("2B7E") }, { reveal: true }); // '{"app_key":"2B7E"}'
 * ```
 */
export function stringifyJson(value: unknown, given?: StringifyJsonOptions): string {
  const { reveal = false, space } = readOptions(given);
  const json = readInput(
    "An argument of stringifyJson",
    () => (reveal ? undefined : writePlain(value, space)) ?? writeExactly(value, reveal, space),
  );
  if (json === undefined)
    throw mistake(`JSON cannot express a value of type ${typeof value}: convert it first.`);
  return json;
}

const readOptions = /* @__PURE__ */ options<StringifyJsonOptions>(
  "stringifyJson",
  { reveal: anything, space: anything },
  "{ space: 2 }",
);

/** Writes what needs no replacer, which takes twice as long. Returns `undefined` for anything else. */
function writePlain(value: unknown, space: StringifyJsonOptions["space"]): string | undefined {
  if ("toJSON" in BigInt.prototype) return undefined;
  try {
    const json = JSON.stringify(value, undefined, space) as string | undefined;
    // A number that is not a safe integer has 16 digits, or an exponent.
    return json !== undefined && markLongIntegers(json) === undefined ? json : undefined;
  } catch {
    // It contains a bigint, or cannot be read.
    return undefined;
  }
}

// The library types of TypeScript do not declare it yet.
const { rawJSON } = JSON as unknown as { rawJSON: (json: string) => unknown };

function writeExactly(
  root: unknown,
  reveal: boolean,
  space: StringifyJsonOptions["space"],
): string | undefined {
  function replace(this: Record<string, unknown>, key: string, json: unknown): unknown {
    // Read before its toJSON runs: the one of a secret hides the value, and a patched BigInt returns a string.
    const own = this[key];
    let value = typeof own === "bigint" || isSecret(own) ? own : json;
    if (isSecret(value)) value = reveal ? value.reveal() : value.toJSON();
    if (typeof value === "bigint") return rawJSON(digitsOf(value));
    // Written as digits, it would be read back as a bigint.
    const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
    return isLarge ? rawJSON((value as number).toExponential()) : value;
  }
  return JSON.stringify(root, replace, space);
}

const TOO_LARGE = 10n ** BigInt(MAX_DIGITS);

function digitsOf(value: bigint): string {
  if (value >= TOO_LARGE || value <= -TOO_LARGE) throw mistake(new LongIntegerError().message);
  return String(value);
}
