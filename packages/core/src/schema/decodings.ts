import { getOrInsertComputed } from "../get-or-insert-computed.ts";
import { fromHex } from "../hex.ts";

export const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const PLAIN = /^[\x20-\x7e]*$/;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;
const SEPARATORS_OF_ASCII = /[^\da-z]+/gi;

/** Removes invisible characters, and replaces each variant of a letter by the usual one. */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(INVISIBLE, "").normalize("NFKC");
}

/** Keeps only letters and digits. */
export function withoutSeparators(text: string): string {
  return text.replace(PLAIN.test(text) ? SEPARATORS_OF_ASCII : SEPARATORS, "");
}

/**
 * Returns a function that lists the strings that a string may encode: the string without the escapes of JSON, HTML and URLs, and
 * each decoded run of at least `shortest` encoded characters in hexadecimal or base64. That function also receives the string in
 * lower case without separators.
 *
 * If `isAscii` is set, runs that cannot contain enough ASCII are skipped.
 */
export function decoderOf(shortest: number, isAscii: boolean): Decoder {
  return getOrInsertComputed(decoders, isAscii ? shortest : -shortest, () =>
    createDecoder(shortest, isAscii),
  );
}

type Decoder = (text: string, bare: string) => string[];

// Regular expressions become fast after some use, and most calls need the same ones.
const decoders = new Map<number, Decoder>();

function createDecoder(shortest: number, isAscii: boolean): Decoder {
  const hex = new RegExp(`[\\da-f]{${shortest * 2},}`, "g");
  const hexText = isAscii ? new RegExp(`(?:[0-7][\\da-f]){${shortest}}`) : ANY;
  // Each character holds 6 of 8 bits.
  const base64 = new RegExp(`[\\w+/-]{${Math.ceil((shortest * 8) / 6)},}`, "g");
  // Four characters are three bytes, and the first bit of each is 0. This many bytes always contain that many such groups.
  const groups = Math.max(0, Math.floor((shortest - 2) / 3));
  const base64Text = isAscii
    ? new RegExp(
        `(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\\w+/-]){${groups}}`,
      )
    : ANY;
  return (text, bare) => {
    const found: string[] = [];
    const unescaped = ESCAPE.test(text) ? unescape(text) : text;
    if (unescaped !== text) found.push(unescaped);
    if (hexText.test(bare))
      for (const [run] of bare.matchAll(hex))
        // The word before the run may end in letters that are also hexadecimal digits.
        for (const start of [0, 1]) found.push(readUtf8(fromHex(run.slice(start))));
    for (const run of text.match(base64) ?? [])
      if (!DIGITS.test(run) && base64Text.test(run))
        for (const start of [0, 1, 2, 3]) found.push(readUtf8(fromBase64(run.slice(start))));
    return found;
  };
}

/** An EUI, a key or a UUID. Base64 also has letters beyond F, in both cases. */
const DIGITS = /^(?:[\da-f-]+|[\dA-F-]+)$/;
const ANY = /(?:)/;
const ESCAPE = /[\\&%]/;
const HEX = 16;

let utf8: { decode(bytes: Uint8Array): string } | undefined;

/** Reads bytes as UTF-8. The decoder is made when it is needed: Jest with jsdom has none, and imports this file. */
function readUtf8(bytes: Uint8Array): string {
  return (utf8 ??= new TextDecoder()).decode(bytes);
}

function fromBase64(run: string): Uint8Array {
  const standard = run.replaceAll("-", "+").replaceAll("_", "/");
  // A single character at the end is not a whole byte, and atob rejects it.
  const binary = atob(standard.length % 4 === 1 ? standard.slice(0, -1) : standard);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** Encodes a string as base64, with none, one or two bytes before it. Returns the characters that its own bits determine. */
export function base64Of(text: string): string[] {
  const bytes = Array.from(new TextEncoder().encode(text), (each) => String.fromCharCode(each));
  return ["", "0", "00"].map((before) => {
    const [encoded = "", padding = ""] = btoa(before + bytes.join("")).split(/(?==)/);
    const first = Math.ceil((before.length * 8) / 6);
    return encoded.slice(first, padding === "" ? undefined : -1);
  });
}

/** Removes the escapes of JSON, HTML and URLs. */
function unescape(text: string): string {
  return text
    .replace(/\\u\{?([\da-f]{1,6})\}?|\\x([\da-f]{2})/gi, (all, long?: string, short?: string) =>
      character(all, Number.parseInt(long ?? short ?? "", HEX)),
    )
    .replace(/\\(["'\\/])/g, "$1")
    .replace(/&#x([\da-f]{1,6});/gi, (all, code: string) =>
      character(all, Number.parseInt(code, HEX)),
    )
    .replace(/&#(\d{1,7});/g, (all, code: string) => character(all, Number(code)))
    .replace(/&(amp|lt|gt|quot|apos);/gi, (_, name: string) => ENTITIES[name.toLowerCase()] ?? "")
    .replace(/(?:%[\da-f]{2})+/gi, percentDecoded);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};
const LAST_CODE_POINT = 0x10_ff_ff;

function character(escaped: string, code: number): string {
  return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : escaped;
}

/** Decodes UTF-8 bytes. An invalid byte does not stop the rest from being decoded. */
function percentDecoded(escaped: string): string {
  return readUtf8(fromHex(escaped.replaceAll("%", "")));
}
