import { inspect } from "node:util";

// Each secret of a test holds a mark that nothing else holds, so that a search finds it wherever it gets to.

const MARK = "c4n4ry5ecret";
/** Of a key that has hexadecimal digits only. */
const HEX_MARK = "CA9A5EC12E7CA9A5";

/** One secret of each kind, for every test that needs one. */
export const canaries = {
  /** Of a client. */
  apiKey: `${MARK}-api-key-8c1f`,
  /** Of the mobile service, whose keys say their mode. */
  mobileKey: `sk_sandbox_${MARK}71aa`,
  /** Of a device. */
  appKey: `${HEX_MARK}F7158809CF4F3C00`,
  /** Of a webhook. */
  webhookSecret: `whsec_${Buffer.from(`${MARK}-webhook-key-0000`).toString("base64")}`,
  /** Of an integration. */
  token: `${MARK}-token-93ac`,
} as const;

const bytes = (text: string): Buffer => Buffer.from(text, "utf8");
const escapes = (text: string, write: (code: string) => string): string =>
  Array.from(text, (each) => write(each.charCodeAt(0).toString(16))).join("");

/** Base64 keeps its letters' case, and has three forms, by the bytes before. */
const base64Forms = (text: string): string[] =>
  ["", "x", "xy"].map((before) =>
    bytes(`${before}${text}`)
      .toString("base64")
      .replace(/=+$/, "")
      .slice(before === "" ? 0 : before.length + 1, -1),
  );

/** The forms of a mark, each with whether letters may be of either case. */
const FORMS = [MARK, HEX_MARK].flatMap((mark) => [
  ...[
    mark,
    bytes(mark).toString("hex"),
    bytes(mark.toLowerCase()).toString("hex"),
    escapes(mark, (code) => `%${code}`),
    escapes(mark, (code) => `%25${code}`),
    escapes(mark, (code) => String.raw`\u${code.padStart(4, "0")}`),
    escapes(mark, (code) => String.raw`\\u${code.padStart(4, "0")}`),
    escapes(mark, (code) => `&#x${code};`),
  ].map((form) => ({ form: form.toLowerCase(), anyCase: true })),
  ...[mark, mark.toLowerCase(), mark.toUpperCase()]
    .flatMap(base64Forms)
    .map((form) => ({ form, anyCase: false })),
]);

/** The form in which a string holds a canary, or `undefined` where it holds none. */
export function findCanary(text: string): string | undefined {
  const small = text.toLowerCase();
  return FORMS.find(({ form, anyCase }) => (anyCase ? small : text).includes(form))?.form;
}

/** All that a person, a log or a tracker could get to see of a value: printed, inspected, as JSON, and each cause of an error. */
export function everythingPrinted(value: unknown, depth = 0): string {
  const parts = [
    attempt(() => String(value)),
    attempt(() => inspect(value, { depth: 12, maxStringLength: 100_000, showHidden: true })),
    attempt(() =>
      JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? `${each}` : each)),
    ),
  ];
  if (value instanceof Error && depth < 5)
    parts.push(value.message, value.stack ?? "", everythingPrinted(value.cause, depth + 1));
  return parts.join("\n");
}

/** Some values of tests throw when they are read. */
function attempt(read: () => string | undefined): string {
  try {
    return read() ?? "";
  } catch {
    return "";
  }
}
