import { readRecord, recordOf, type AnyRecord } from "@fieldmesh/core/internal";
import {
  STATUS,
  type ApiErrorDetails,
  type RawResponse,
  type Service,
  type ShowText,
} from "@fieldmesh/http/internal";

/** The error bodies of the console have four forms (three observed), most of them without a content type (observed). */
export const consoleService: Service = {
  name: "the console",
  observedRules: true,
  saysAbsent,
  readError(response, meaning, show) {
    const { message, errors } = readRecord(response.body);
    if (response.status === STATUS.unauthorized) return unauthorized(message);
    if (response.status === STATUS.forbidden && isKeyMissing(errors)) return KEY_MISSING;
    const { fields, said } = readErrors(recordOf(errors), show);
    if (said.length === 0) return { message: meaning ?? knownText(response), fields };
    // Only the console itself writes such a body, so the address is right.
    const isAbsent = response.status === STATUS.notFound && meaning === undefined;
    const advice = isAbsent ? NOTHING_THERE : undefined;
    // The row says why a call is not allowed.
    const why = response.status === STATUS.forbidden && meaning ? ` (${meaning})` : "";
    return { message: said.join("; ") + why, fields, advice };
  },
};

/** The console says that nothing matches in `errors.error`, or in a plain message (observed). */
function saysAbsent(body: string): boolean {
  const { errors } = readRecord(body);
  return textsOf(recordOf(errors)["error"]).length > 0 || TEXT.test(body.trim());
}

const NOTHING_THERE = "Not found for this client: check the ids in the input.";

const KEY_MISSING: ApiErrorDetails = {
  message: "the request had no API key",
  advice: "Check whether a proxy, or your own fetch, removes the header `key`.",
};

/** Tells whether a 403 says that the header is missing (observed). Other 403s have an object here. */
function isKeyMissing(errors: unknown): boolean {
  return Array.isArray(errors) && errors.includes("Key header is missing");
}

function unauthorized(code: unknown): ApiErrorDetails {
  switch (code) {
    case "api_key_needs_email_verification":
      return {
        code,
        message: "the API key is not confirmed yet",
        advice:
          "Open the link in the email that the console sent to the account that created the key.",
      };
    case "invalid_api_key":
      return {
        code,
        message: "the API key is unknown",
        advice:
          "Check apiKey: the console shows a key only once, when you create it, and it belongs to one organization.",
      };
    default:
      return { message: "the API key was not accepted", advice: "Check apiKey." };
  }
}

const MOST_TEXTS = 10;
const NOT_ACCEPTED = "was not accepted";

/** Returns the messages of `errors.error` and `errors.<field>` (observed). Of one that may hold a secret, only the field. */
function readErrors(
  errors: AnyRecord,
  show: ShowText,
): { fields: Record<string, string[]>; said: string[] } {
  const { error, ...others } = errors;
  const fields: Record<string, string[]> = {};
  for (const [field, value] of Object.entries(others).slice(0, MOST_TEXTS))
    if (/^\w{1,40}$/.test(field) && show(field) !== undefined) {
      const texts = textsOf(value).map((text) => show(text) ?? NOT_ACCEPTED);
      fields[field] = texts.length > 0 ? texts : [NOT_ACCEPTED];
    }
  return {
    fields,
    said: [
      ...Object.entries(fields).map(([field, texts]) => `${field} ${texts.join(", ")}`),
      ...textsOf(error).flatMap((text) => show(text) ?? []),
    ],
  };
}

function textsOf(value: unknown): string[] {
  return [value]
    .flat()
    .filter((each) => typeof each === "string")
    .slice(0, MOST_TEXTS);
}

// Messages of the contract and observed messages that contain no value.
const TEXT =
  /^(Label|Device|Integration|Flow|Organization|Config profile)s? (not found|was not found)$/i;

function knownText({ status, body }: RawResponse): string | undefined {
  if (status === STATUS.tooManyRequests) return "too many requests";
  return TEXT.test(body.trim()) ? body.trim() : undefined;
}
