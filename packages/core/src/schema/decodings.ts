const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const PLAIN = /^[\x20-\x7e]*$/;

/** Without characters that are not seen, and with the usual letter for each of its forms. */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(INVISIBLE, "").normalize("NFKC");
}

/** The letters and digits alone. */
export function withoutSeparators(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "");
}

/**
 * What a string may be an encoded form of: without the escapes of JSON, HTML and URLs, and each run in it of at least so many
 * encoded characters that may be hexadecimal digits or base64.
 */
export function* decodings(text: string, shortest: number): Generator<string> {
  const unescaped = unescape(text);
  if (unescaped !== text) yield unescaped;
  const hex = new RegExp(`[\\da-f]{${shortest * 2},}`, "gi");
  for (const [run] of withoutSeparators(text).matchAll(hex))
    // The word before may end in such letters.
    for (const start of [0, 1]) yield readBytes(fromHex(run.slice(start)));
  // 6 of 8 bits in each character.
  const base64 = new RegExp(`[\\w+/-]{${Math.ceil((shortest * 8) / 6)},}`, "g");
  for (const [run] of text.matchAll(base64))
    if (!DIGITS.test(run))
      for (const start of [0, 1, 2, 3]) yield readBytes(fromBase64(run.slice(start)));
}

/** An EUI, a key or a UUID: base64 has letters of both cases, and beyond F. */
const DIGITS = /^(?:[\da-f-]+|[\dA-F-]+)$/;

function readBytes(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

const HEX = 16;

function fromHex(run: string): Uint8Array {
  return Uint8Array.from({ length: Math.floor(run.length / 2) }, (_, index) =>
    Number.parseInt(run.slice(index * 2, index * 2 + 2), HEX),
  );
}

function fromBase64(run: string): Uint8Array {
  const standard = run.replaceAll("-", "+").replaceAll("_", "/");
  // A single character at the end does not make a byte, and atob rejects it.
  const whole = standard.length % 4 === 1 ? standard.slice(0, -1) : standard;
  return Uint8Array.from(atob(whole), (each) => each.charCodeAt(0));
}

/** A string as base64, as far as its own bits decide: with none, one or two bytes before it. */
export function base64Of(text: string): string[] {
  const bytes = Array.from(new TextEncoder().encode(text), (each) => String.fromCharCode(each));
  return ["", "0", "00"].map((before) => {
    const [encoded = "", padding = ""] = btoa(before + bytes.join("")).split(/(?==)/);
    const first = Math.ceil((before.length * 8) / 6);
    return encoded.slice(first, padding === "" ? undefined : -1);
  });
}

/** Without the escapes of JSON, HTML and URLs. */
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

/** As bytes of UTF-8; one that is none does not keep the others from being read. */
function percentDecoded(escaped: string): string {
  return readBytes(fromHex(escaped.replaceAll("%", "")));
}
