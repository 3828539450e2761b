import type { Answer, ApiErrorDetails, Service } from "@fieldmesh/http";

/** How the console says no: four shapes of body, three of them without a content-type. */
export const consoleService: Service = {
  name: "the console",
  readError(answer, meaning) {
    const body = readJson(answer.body);
    if (body === undefined) return { message: meaning ?? knownText(answer) };
    const code = textOf(body, "message");
    if (answer.status === 401) return unauthorized(code);
    return { ...readErrors(body, meaning) };
  },
};

function unauthorized(code: string | undefined): ApiErrorDetails {
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
 * The console's own texts name fields and rules, but may repeat a value; so a text is shown only where the row
 * declares it, and of single fields only which they are. `error.body.reveal()` gives all of it.
 */
function readErrors(body: object, meaning: string | undefined): ApiErrorDetails {
  const errors: unknown = (body as { errors?: unknown }).errors;
  if (typeof errors !== "object" || errors === null) return { message: meaning };
  const fields: Record<string, string[]> = {};
  for (const [field, messages] of Object.entries(errors)) {
    if (field !== "error" && /^\w{1,40}$/.test(field) && Array.isArray(messages)) {
      fields[field] = messages.filter((each) => typeof each === "string").map(safeRule);
    }
  }
  const said = Object.entries(fields).map(([field, rules]) => `${field} ${rules.join(", ")}`);
  return { message: said.length > 0 ? said.join("; ") : (meaning ?? firstError(errors)), fields };
}

// Rules that the console's framework is known to say; each is a sentence without a value.
const RULE =
  /^(has already been taken|can't be blank|is invalid|is reserved|should be (at (most|least) )?\d+ character\(s\)|must be .{1,40}|has invalid format)$/;

function safeRule(text: string): string {
  return RULE.test(text) ? text : "was not accepted";
}

// Texts of the contract, and of running deployments, that hold no value.
const TEXT =
  /^(Label|Device|Integration|Flow|Organization|Config profile)s? (not found|was not found)$/i;

function firstError(errors: object): string | undefined {
  const list = (errors as { error?: unknown }).error;
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return typeof first === "string" && TEXT.test(first) ? first : undefined;
}

function knownText({ status, body }: Answer): string | undefined {
  if (status === 429) return "too many requests";
  return TEXT.test(body.trim()) ? body.trim() : undefined;
}

function readJson(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(body: object, key: string): string | undefined {
  const value = (body as Record<string, unknown>)[key];
  return typeof value === "string" ? value : undefined;
}
