import { inspect } from "node:util";
import { createSecretCheck } from "../../packages/core/src/schema/secret-check.ts";
import type { CallEvent, Hooks } from "../../packages/http/src/index.ts";

// Each secret of a test contains a unique mark, so that a search finds it wherever it leaks.

// The marks have nothing in common. Otherwise a client that hides one secret would also hide the leak of another.
const MARKS = {
  apiKey: "vX7Lq2Rk9Tdw",
  mobileKey: "hT3Wz8Ny5Bfc",
  webhookSecret: "pD6Jn1Ue4Msg",
  token: "gM5Sb0Ao8Kzj",
  /** The secret of webhook fixtures, and of every sample in the guides. */
  fixture: "whsec_test",
  /** The mark of a key that has only hexadecimal digits. */
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

/** The webhook secret that tests and guides use where any secret will do. It shares `whsec_` with the one above. */
export const fixtureSecret = MARKS.fixture;

const bytes = (text: string): Buffer => Buffer.from(text, "utf8");
const escapes = (text: string, write: (code: string) => string): string =>
  Array.from(text, (each) => write(each.charCodeAt(0).toString(16))).join("");

/** Base64 keeps the case of letters, and has three forms, depending on the preceding bytes. */
const base64Forms = (text: string): string[] =>
  ["", "x", "xy"].map((before) =>
    bytes(`${before}${text}`)
      .toString("base64")
      .replace(/=+$/, "")
      .slice(before === "" ? 0 : before.length + 1, -1),
  );

/** The forms of a mark, and whether the case of letters may differ. */
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

/** The forms above are written without our own code, so that a fault of its check hides no leak. It knows more, such as separators. */
const holdsMark = createSecretCheck(Object.values(MARKS), true);

/** Returns the form in which a string contains a canary, or `undefined` if it contains none. */
export function findCanary(text: string): string | undefined {
  const small = text.toLowerCase();
  const found = FORMS.find(({ form, anyCase }) => (anyCase ? small : text).includes(form))?.form;
  return found ?? (holdsMark(text) ? "another encoding" : undefined);
}

/** Returns everything that a person, a log or a tracker could see of a value: printed, inspected, as JSON, and each cause of an error. */
export function everythingPrinted(value: unknown, depth = 0): string {
  const parts = [
    attempt(() => String(value)),
    attempt(() =>
      inspect(value, { depth: 12, maxStringLength: 100_000, showHidden: true, getters: true }),
    ),
    attempt(() =>
      JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? `${each}` : each)),
    ),
  ];
  if (value instanceof Error && depth < 5)
    parts.push(
      value.message,
      value.stack ?? "",
      everythingPrinted(value.cause, depth + 1),
      Object.keys(value).join(),
    );
  return parts.join("\n");
}

/** Some values in tests throw when they are read. */
function attempt(read: () => string | undefined): string {
  try {
    return read() ?? "";
  } catch {
    return "";
  }
}

/**
 * Makes every hook there is, for the tests that look for a secret in what hooks receive. A new hook does not compile
 * until it is listed here; from then on each of those tests watches it.
 */
export function everyHook(
  record: (hook: keyof Hooks, event: CallEvent) => unknown,
): Required<Hooks> {
  return {
    onRequest: (event) => record("onRequest", event),
    onResponse: (event) => record("onResponse", event),
    onFailure: (event) => record("onFailure", event),
  } satisfies Required<Hooks>;
}
