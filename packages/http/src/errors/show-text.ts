/** Returns what a service says as a message may show it, or `undefined` where it may hold a secret. */
export type ShowText = (text: unknown) => string | undefined;

const LONGEST = 200;
// A shorter run of a secret tells nothing of it, and many words share one.
const TELLING = 8;

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const MARKUP = /<[a-z!/?]/i;
// No secret of this call, but of such a form: a key of something else.
const KEY = /[\w+/=]{24}/;

/**
 * Creates the filter for the texts of a service. It hides what holds one of the given strings, or eight characters in a
 * row of one, in any letter case and escaped in any usual way.
 */
export function createShowText(secrets: readonly string[]): ShowText {
  const telling = secrets
    .map(plain)
    .filter((secret) => secret !== "")
    .map(tellingParts);
  return (text) => {
    if (typeof text !== "string") return undefined;
    const visible = text.replace(INVISIBLE, "").trim().replace(/\.$/, "");
    if (visible === "" || MARKUP.test(visible) || holdsKey(visible)) return undefined;
    const forms = formsOf(visible).map(plain);
    if (telling.some((parts) => parts.some((part) => forms.some((form) => form.includes(part)))))
      return undefined;
    const characters = Array.from(visible);
    return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : visible;
  };
}

/** A word with such a run and a digit. */
function holdsKey(text: string): boolean {
  return text.split(/\s/).some((word) => KEY.test(word) && /\d/.test(word));
}

function plain(text: string): string {
  return text.replace(INVISIBLE, "").normalize("NFKC").toLowerCase();
}

function tellingParts(secret: string): string[] {
  const last = Math.max(0, secret.length - TELLING);
  return Array.from({ length: last + 1 }, (_, start) => secret.slice(start, start + TELLING));
}

// A server, and a proxy before it, may each have escaped what it says.
const MOST_ESCAPES = 3;

/** The string, and what it is without one escape after another. */
function formsOf(text: string): string[] {
  const forms = [text];
  for (let last = text; forms.length <= MOST_ESCAPES;) {
    last = unescape(last);
    if (last === forms.at(-1)) break;
    forms.push(last);
  }
  return forms;
}

const HEX = 16;

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

function percentDecoded(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}
