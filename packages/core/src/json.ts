import {
  absentMark,
  markIntegers,
  markIntegersOutsideStrings,
  unmarkIntegers,
} from "./json-integers.ts";
import { JsonSyntaxError } from "./json-syntax-error.ts";
import { isSecret } from "./secret.ts";

export { JsonSyntaxError } from "./json-syntax-error.ts";

/**
 * Parses JSON without rounding any integer.
 *
 * Like `JSON.parse`, but an integer outside ±(2^53-1) becomes a `bigint`. What is written with a fraction or an
 * exponent stays a number, however large. Throws a {@link JsonSyntaxError}, whose message holds nothing of the text.
 *
 * @example
 * ```ts
 * parseJson('{"balance": 12345678901234567890, "height": 12}'); // { balance: 12345678901234567890n, height: 12 }
 * ```
 */
export function parseJson(text: string): unknown {
  try {
    const mark = absentMark(text);
    const marked = markIntegers(text, mark);
    // Most texts have no such integer: they cost one look at every 16th character.
    return marked === text
      ? JSON.parse(text)
      : unmarkIntegers(parseMarked(text, marked, mark), mark);
  } catch (error) {
    if (error instanceof SyntaxError) throw new JsonSyntaxError(text);
    throw error;
  }
}

/** A mark that got into a string ends that string and stands behind it, where nothing but a SyntaxError can follow. */
function parseMarked(text: string, marked: string, mark: string): unknown {
  try {
    return JSON.parse(marked);
  } catch {
    return JSON.parse(markIntegersOutsideStrings(text, mark));
  }
}

export interface StringifyJsonOptions {
  /**
   * Writes the values of secrets instead of `[redacted]`: to send them, or to store them on purpose.
   *
   * @default false
   */
  reveal?: boolean | undefined;
  /** As in `JSON.stringify`. */
  space?: number | string | undefined;
}

/**
 * Writes JSON without rounding any integer.
 *
 * Like `JSON.stringify`, but a `bigint` is written as an integer, whatever `BigInt.prototype.toJSON` says. `parseJson`
 * reads the same value back, except that a bigint within ±(2^53-1) comes back as a number. Throws a TypeError for a
 * cycle, and for a value that JSON cannot express at all, such as `undefined`. May call a `toJSON` more than once.
 *
 * @example
 * ```ts
 * stringifyJson({ balance: 12345678901234567890n }); // '{"balance":12345678901234567890}'
 * stringifyJson({ app_key: new Secret("2B7E") }, { reveal: true }); // '{"app_key":"2B7E"}'
 * ```
 */
export function stringifyJson(
  value: unknown,
  { reveal = false, space }: StringifyJsonOptions = {},
): string {
  const text = stringifyPlain(value, reveal, space) ?? stringifyExactly(value, reveal, space);
  if (text === undefined)
    throw new TypeError(`JSON cannot express a value of type ${typeof value}.`);
  return text;
}

/** What every secret gives to `JSON.stringify`. */
const REDACTED = '"[redacted]"';

/** A replacer costs several times what the rest costs, so first without; `undefined` when that would not be exact. */
function stringifyPlain(
  value: unknown,
  reveal: boolean,
  space: number | string | undefined,
): string | undefined {
  if ("toJSON" in BigInt.prototype) return undefined;
  try {
    const text = write(value, null, space);
    return reveal && text?.includes(REDACTED) ? undefined : text;
  } catch (error) {
    // A bigint; or a cycle, which throws again below.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function stringifyExactly(
  value: unknown,
  reveal: boolean,
  space: number | string | undefined,
): string | undefined {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };
  if (rawJSON)
    return write(
      value,
      replacer(reveal, (integer) => rawJSON(String(integer))),
      space,
    );
  const mark = absentMark(
    write(
      value,
      replacer(reveal, () => 0),
      space,
    ) ?? "",
  );
  const marked = write(
    value,
    replacer(reveal, (integer) => mark + integer),
    space,
  );
  return marked?.replace(new RegExp(`"${mark}(-?\\d+)"`, "g"), "$1");
}

type Replacer = (this: Record<string, unknown>, key: string, json: unknown) => unknown;

function replacer(reveal: boolean, writeInteger: (integer: bigint) => unknown): Replacer {
  return function (key, json) {
    // Before its toJSON was called: that of a secret hides the value, and a patched BigInt gives a string.
    const own = this[key];
    let value = typeof own === "bigint" || isSecret(own) ? own : json;
    if (isSecret(value)) value = reveal ? value.reveal() : value.toJSON();
    return typeof value === "bigint" ? writeInteger(value) : value;
  };
}

/** `JSON.stringify` with its real type: it gives `undefined` for what JSON cannot express. */
function write(
  value: unknown,
  replace: Replacer | null,
  space: number | string | undefined,
): string | undefined {
  return JSON.stringify(value, replace as (key: string, value: unknown) => unknown, space);
}
