import { inspect } from "node:util";

// Each secret of a test holds a mark that nothing else holds, so that a search finds it wherever it gets to.

// The marks have nothing in common: what a client hides because it knows one secret would hide a leak of another one too.
const MARKS = {
  apiKey: "vX7Lq2Rk9Tdw",
  mobileKey: "hT3Wz8Ny5Bfc",
  webhookSecret: "pD6Jn1Ue4Msg",
  token: "gM5Sb0Ao8Kzj",
  /** Of the fixtures of webhooks, and of every sample in the guides. */
  fixture: "whsec_test",
  /** Of a key that has hexadecimal digits only. */
  appKey: "CA9A5EC12E7CA9A5",
} as const;

/** One secret of each kind, for every test that needs one. */
export const canaries = {
  /** Of a client. */
  apiKey: `${MARKS.apiKey}-8c1f`,
  /** Of the mobile service, whose keys say their mode. */
  mobileKey: `sk_sandbox_${MARKS.mobileKey}71aa`,
  /** Of a device. */
  appKey: `${MARKS.appKey}F7158809CF4F3C00`,
  /** Of a webhook. */
  webhookSecret: `whsec_${Buffer.from(`${MARKS.webhookSecret}:webhook:0000`).toString("base64")}`,
  /** Of an integration. */
  token: `${MARKS.token}_93ac`,
} as const;

/** The secret of a webhook as tests and guides write it where they need any. It shares `whsec_` with the one above. */
export const fixtureSecret = MARKS.fixture;

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
const FORMS = Object.values(MARKS).flatMap((mark) => [
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
