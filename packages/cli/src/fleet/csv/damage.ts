import { bareOf, ofFormula, visible } from "./cells.ts";
import type { Field } from "./field-names.ts";
import { isOfVendor } from "./vendors.ts";

/** The fields that identify a device, which are hexadecimal digits. */
export type DigitsField = Extract<Field, "dev_eui" | "app_eui" | "app_key">;

/** How many digits a field has. */
const DIGITS: Readonly<Record<DigitsField, number>> = {
  dev_eui: 16,
  app_eui: 16,
  app_key: 32,
};

/**
 * Says what happened to the cell of a field, and what helps; `undefined` if it has the digits of a value, or none. Never shows a digit
 * of a key. Only an observed rule counts the digits, so a message about their number is left out without the observed rules.
 */
export function damageOf(
  field: DigitsField,
  cell: string,
  observedRules: boolean,
): string | undefined {
  const digits = bareOf(cell);
  if (digits === "") return undefined;
  const found =
    whatItBecame(field, cell, digits) ??
    wrongCharacters(field, digits) ??
    (isPlaceholder(field, digits, observedRules)
      ? "is a placeholder: enter the one of the device"
      : undefined) ??
    (observedRules ? wrongNumber(field, digits) : undefined);
  return found === undefined ? undefined : `the ${field} ${found}`;
}

/** Lost digits are only where the file was made. A format of the damaged cells does not bring them back. */
export const AGAIN = "export it again from its source, with this column as text";

/** Says what a program made of a value. */
function whatItBecame(field: DigitsField, cell: string, digits: string): string | undefined {
  const seen = ofFormula(visible(cell));
  const joined = seen.replaceAll(/\s/g, "");
  if (/^#{3,}$/.test(seen)) return `is "####", because its column was too narrow: ${AGAIN}`;
  if (FORMULA_ERROR.test(seen))
    return `is ${seen}, the error of a formula: correct the formula, or write the value itself`;
  if (HIDDEN.test(seen))
    return "is hidden in the file: make the file again with --reveal, or enter it";
  if (NO_VALUE.test(seen)) return "has no value: enter it, or leave the row out";
  if (DATES.some((date) => date.test(seen))) return `became a date: ${AGAIN}`;
  if (EXPONENT.test(joined) || (SHORT_EXPONENT.test(joined) && digits.length !== DIGITS[field]))
    return `became a number with an exponent, and lost digits: ${AGAIN}`;
  // Blanks, but not points, may be in the digits of an EUI or a key in any place.
  if (THOUSANDS.test(seen) && (seen.includes(".") || digits.length !== DIGITS[field]))
    return `became a number with separators, and lost digits: ${AGAIN}`;
  const [, whole] = DECIMAL.exec(joined) ?? [];
  if (whole !== undefined) return `became a number with decimals${ofDecimal(field, whole)}`;
  if (field === "app_key" && isRoundedKey(digits)) return ROUNDED;
  return undefined;
}

export const ROUNDED = `was rounded by a spreadsheet, and lost its last digits: ${AGAIN}`;

/** In any language, such as `#WERT!`, `#N/D` and `#¿NOMBRE?`. */
export const FORMULA_ERROR = /^#(?:[^\s\w]?[\p{L}\p{N}/0]{1,12}[!?]|N\/?[A-Z]{1,2})$/u;
/** What this and other programs write in place of a secret. */
const HIDDEN = /^(?:\[?<?(?:redacted|hidden|masked|secret)>?\]?|[*\u2022\u25CF]{2,})$/i;
/** What programs and people write where nothing is known. */
const NO_VALUE =
  /^(?:null|nil|none|nan|undefined|true|false|unknown|tb[dc]|todo|\(?(?:null|none|blank|empty)\)?|n\.?\/?a\.?|[-?xX\u2013\u2014]+)$/i;
const TIME = String.raw`(?:[T\s]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[ap]m)?(?:Z|[+-]\d{2}:?\d{2})?)?`;
const MONTH = String.raw`(?:jan|feb|m[aäá]r|mrz|apr|avr|abr|ma[iy]|jui?n|jui?l|aug|ago|sep|o[ck]t|nov|de[czs])\p{L}*\.?`;
const DATES = [
  String.raw`\d{4}([-/.])\d{1,2}\1\d{1,2}${TIME}`,
  String.raw`\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d{2})${TIME}`,
  String.raw`\d{1,4}[-/.\s]+${MONTH}(?:[-/.\s]+\d{2,4})?${TIME}`,
  String.raw`${MONTH}[-/.\s]+\d{1,4}(?:,?\s+\d{4})?${TIME}`,
].map((date) => new RegExp(`^${date}$`, "iu"));

/** A sign, or a point after one digit, are never in the digits of an EUI. Some programs keep the hexadecimal digits. */
const EXPONENT =
  /^[+-]?(?:[\da-f]+(?:[.,][\da-f]+)?e[+-]\d{1,3}|\d[.,][\da-f]*e\d{1,3}|\d+(?:[.,]\d+)?[x×*·]10\^?[+-]?\d{1,3})$/i;
/** It may also be digits without zeros at their beginning. */
const SHORT_EXPONENT = /^\d+e\d{1,2}$/i;
const THOUSANDS = /^\d{1,3}([.,'\u2019\s])\d{3}(?:\1\d{3}){2,}$/;
const DECIMAL = /^(\d+)[.,]0+$/;

/** Up to this number, a double has all digits. */
const EXACT = BigInt(Number.MAX_SAFE_INTEGER);

function ofDecimal(field: DigitsField, whole: string): string {
  return field !== "app_key" && BigInt(whole) <= EXACT
    ? `: write ${whole.padStart(DIGITS[field], "0")}`
    : `, and lost digits: ${AGAIN}`;
}

/** A spreadsheet has 15 digits of a number, so that a key ends in zeros, or is exactly a double. No random key is. */
function isRoundedKey(digits: string): boolean {
  if (!/^[1-9]\d{23,}$/.test(digits)) return false;
  return /0{8}$/.test(digits) || BigInt(Number(digits)) === BigInt(digits);
}

/** Wrong characters that are named. A value with more of them is something else, which may be a secret. */
const NAMED = 2;

function wrongCharacters(field: DigitsField, digits: string): string | undefined {
  const characters = Array.from(digits);
  const wrong = characters.flatMap((character, at) =>
    /[\da-f]/i.test(character) ? [] : [{ character, at }],
  );
  if (wrong.length === 0) return undefined;
  const isNear = Math.abs(characters.length - DIGITS[field]) <= NAMED;
  if (wrong.length > NAMED || !isNear)
    return "is not hexadecimal: it needs digits from 0 to 9 and letters from A to F only";
  const named = wrong.map(({ character, at }) => {
    const meant = MEANT.find(([, looks]) => looks.includes(character))?.[0];
    const guess = meant === undefined ? "which is not hexadecimal" : `probably ${meant}`;
    return `${nameOf(character)} as digit ${at + 1}, ${guess}`;
  });
  return `has ${named.join(", and ")}`;
}

/** Hexadecimal digits, and the characters that look like them. */
const MEANT = [
  ["0", "OoQОоΟο"],
  ["1", "lIi|!ІіΙ"],
  ["2", "Zz"],
  ["3", "Зз"],
  ["5", "Ss§Ѕ"],
  ["6", "Gб"],
  ["8", "&"],
  ["9", "gq"],
  ["A", "АаΑα"],
  ["B", "ВвΒβß"],
  ["C", "СсϹ"],
  ["E", "ЕеΕε€"],
] as const;

function nameOf(character: string): string {
  if (character === "\uFFFD") return "a damaged character";
  for (const script of ["Latin", "Cyrillic", "Greek"])
    if (new RegExp(`^\\p{Script=${script}}$`, "u").test(character))
      return `the ${script === "Latin" ? "" : `${script} `}letter ${character}`;
  return `the character ${JSON.stringify(character)}`;
}

/** A network server writes zeros for a key that it does not know. An app_eui of zeros is usual. */
function isPlaceholder(field: DigitsField, digits: string, observedRules: boolean): boolean {
  if (field === "app_key") return /^(?:0+|f+)$/i.test(digits);
  return field === "dev_eui" && observedRules && /^(?:0{8,}|f{8,})$/i.test(digits);
}

/** A value with fewer digits is something else, such as the number of a row. An app_eui is often a small number. */
const FEWEST: Readonly<Record<DigitsField, number>> = { dev_eui: 8, app_eui: 1, app_key: 24 };

function wrongNumber(field: DigitsField, digits: string): string | undefined {
  const { length } = digits;
  const [isKey, missing] = [field === "app_key", DIGITS[field] - length];
  if (missing === 0) return undefined;
  if (length === DIGITS[isKey ? "dev_eui" : "app_key"])
    return `has ${length} digits, as many as ${isKey ? "an EUI" : "a key"}: it may be from another column`;
  const counted = `has ${length} ${length === 1 ? "digit" : "digits"} instead of ${DIGITS[field]}`;
  const mayLackZeros = missing > 0 && length >= FEWEST[field] && (isKey || !isOfVendor(digits));
  if (!mayLackZeros)
    return `${counted}: compare it with ${field === "dev_eui" ? "the label of the device" : "its source"}`;
  const write = isKey
    ? `${missing} ${missing === 1 ? "zero" : "zeros"} before it`
    : digits.padStart(DIGITS[field], "0").toUpperCase();
  return `${counted}: if zeros at its beginning are lost, write ${write}`;
}
