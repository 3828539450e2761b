/**
 * Returns the hexadecimal digits that a cell with an EUI or a key means, of any number. A cell that has no form below, such as one
 * with a wrong character or a number that a spreadsheet changed, is returned as a person sees it.
 */
export function digitsOf(cell: string): string {
  const seen = visible(cell);
  const bare = unwrap(seen);
  const bytes = BYTES.test(bare) ? readBytes(bare) : undefined;
  const digits = bytes ?? bare.replace(/^0x(?=.)/i, "").replaceAll(SEPARATOR, "");
  return HEXADECIMAL.test(digits) && !isNumber(bare) ? digits : seen;
}

/** Tells whether a cell contains an EUI or a key, which a header does not. */
export function isHexadecimal(cell: string): boolean {
  const digits = digitsOf(cell);
  return isEui(digits) || isKey(digits);
}

export function isEui(digits: string): boolean {
  return /^[0-9a-f]{16}$/i.test(digits);
}

export function isKey(digits: string): boolean {
  return /^[0-9a-f]{32}$/i.test(digits);
}

/** Tells whether a cell is an ID of the console, which has as many digits as a key. */
export function isId(cell: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(cell);
}

/** Returns a cell without what is around and between its digits, even if one of these is a wrong character. */
export function bareOf(cell: string): string {
  const digits = digitsOf(cell);
  return HEXADECIMAL.test(digits) ? digits : unwrap(visible(cell)).replaceAll(SEPARATOR, "");
}

/** Removes what nobody sees, such as a soft hyphen, and blanks at the ends. Fullwidth characters become usual ones. */
export function visible(cell: string): string {
  return cell
    .replaceAll(/\p{Default_Ignorable_Code_Point}|\p{Cf}|[^\P{Cc}\s]/gu, "")
    .replaceAll(/[\uFF01-\uFF5E]/g, (each) => String.fromCharCode(each.charCodeAt(0) - 0xfee0))
    .trim();
}

/** Returns the string of a formula such as `="0004"`, with which people keep a spreadsheet from changing digits. */
export function ofFormula(cell: string): string {
  return /^="([^"]*)"$/.exec(cell)?.[1] ?? cell;
}

const HEXADECIMAL = /^[0-9a-f]*$/i;

/** Blanks, and all dashes and slashes. A point is one, too: a number with a point is not hexadecimal, see {@link isNumber}. */
const SEPARATOR = /[\s\p{Pd}\u2212/\u2044\u2215:._]/gu;

/** What is around digits, from the outside to the inside. */
const AROUND: readonly (readonly [what: RegExp, inside: string])[] = [
  [/[,;]$/, ""],
  [/^(?:h|x|)['"`\u2018\u201C\u201E\u00AB](.*?)['"`\u2019\u201C\u201D\u00BB]$/i, "$1"],
  [/^['\u2018\u2019](?=.)/, ""],
  [/^(?:\{(.*)\}|\[(.*)\]|\((.*)\)|<(.*)>)$/, "$1$2$3$4"],
  [/^(?:urn:dev:mac|(?:dev|app|join)?[-_ ]?eui(?:64)?|app[-_ ]?key)\s*[-:=]\s*/i, ""],
  [/^#(?=[0-9a-f]+$)/i, ""],
  [/(?<=^[0-9a-f]+)h$/i, ""],
];

function unwrap(seen: string): string {
  let bare = ofFormula(seen);
  for (const [what, inside] of AROUND) bare = bare.replace(what, inside).trim();
  return bare;
}

/** A list of bytes, such as `0x70, 0xB3`, `\x70\xB3`, `70,B3` and `112, 179`. */
const BYTES = /^(?:[0-9a-f]+\s*,|0x[0-9a-f]{1,2}[\s,]|\\x[0-9a-f]{2}\\)/i;

/** Returns `undefined` if one of the bytes is not one, or if they may be decimal as well as hexadecimal, such as `31,98`. */
function readBytes(list: string): string | undefined {
  const bytes = list
    .replaceAll("\\x", " 0x")
    .trim()
    .split(/\s*,\s*|\s+/);
  const all = (form: RegExp): boolean => bytes.every((byte) => form.test(byte));
  if (all(/^0x[0-9a-f]{1,2}$/i))
    return bytes.map((byte) => byte.slice(2).padStart(2, "0")).join("");
  const isHexadecimalList = bytes.some((byte) => /[a-f]|^0./i.test(byte));
  if (isHexadecimalList) return all(/^[0-9a-f]{2}$/i) ? bytes.join("") : undefined;
  const isDecimalList = all(/^\d{1,3}$/) && bytes.some(({ length }) => length !== 2);
  return isDecimalList ? ofDecimals(bytes.map(Number)) : undefined;
}

/** Returns the digits of decimal bytes, or `undefined` if a number is not a byte. */
export function ofDecimals(bytes: readonly number[]): string | undefined {
  const areBytes = bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= MAX_BYTE);
  return areBytes ? bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("") : undefined;
}

const MAX_BYTE = 255;

/** Tells whether points separate decimals instead of groups of digits: groups have two or four each. */
function isNumber(bare: string): boolean {
  const groups = bare.replace(/^0x/i, "").split(/[^0-9a-f]/i);
  return (
    bare.includes(".") &&
    !groups.every(({ length }) => length === 2) &&
    !groups.every(({ length }) => length === 4)
  );
}
