import { readRecord, recordOf, type AnyRecord } from "@fieldmesh/core";
import type { ApiErrorDetails, RawResponse, Service } from "@fieldmesh/http";

/** Error bodies of the console have four forms, three of them without a content-type. */
export const consoleService: Service = {
  name: "the console",
  observedRules: true,
  readError(response, meaning) {
    const { message, errors } = readRecord(response.body);
    if (response.status === 401) return unauthorized(message);
    return readErrors(recordOf(errors), meaning ?? knownText(response));
  },
};

function unauthorized(code: unknown): ApiErrorDetails {
  switch (code) {
    case "api_key_needs_email_verification":
      return {
        code,
        message: "the API key is not confirmed yet",
        advice:
          "Open the link in the e-mail that the console sent to the account that made the key.",
      };
    case "invalid_api_key":
      return {
        code,
        message: "the API key is not known",
        advice:
          "Check apiKey: it is shown only once, when it is made, and belongs to one organization.",
      };
    default:
      return { message: "the API key was not accepted", advice: "Check apiKey." };
  }
}

/**
 * The console's own texts name fields and rules, but may repeat a value. So of an error only names of fields and known
 * rules are shown; `error.body.reveal()` returns all of it.
 */
function readErrors(errors: AnyRecord, meaning: string | undefined): ApiErrorDetails {
  const fields: Record<string, string[]> = {};
  for (const [field, messages] of Object.entries(errors)) {
    if (field !== "error" && /^\w{1,40}$/.test(field) && Array.isArray(messages)) {
      fields[field] = messages.filter((each) => typeof each === "string").map(safeRule);
    }
  }
  const said = Object.entries(fields).map(([field, rules]) => `${field} ${rules.join(", ")}`);
  return { message: said.length > 0 ? said.join("; ") : (meaning ?? firstError(errors)), fields };
}

// Rules of the console's framework that hold no value.
const RULE =
  /^(has already been taken|can't be blank|is invalid|is reserved|should be (at (most|least) )?\d+ character\(s\)|must be .{1,40}|has invalid format)$/;

function safeRule(text: string): string {
  return RULE.test(text) ? text : "was not accepted";
}

// Texts of the contract, and of running deployments, that hold no value.
const TEXT =
  /^(Label|Device|Integration|Flow|Organization|Config profile)s? (not found|was not found)$/i;

function firstError({ error }: AnyRecord): string | undefined {
  const first: unknown = Array.isArray(error) ? error[0] : undefined;
  return typeof first === "string" && TEXT.test(first) ? first : undefined;
}

function knownText({ status, body }: RawResponse): string | undefined {
  if (status === 429) return "too many requests";
  return TEXT.test(body.trim()) ? body.trim() : undefined;
}
