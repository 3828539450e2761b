import type { Outcome } from "../errors/call-error.ts";
import type { Problem } from "../errors/problem.ts";
import { ResponseValidationError } from "../errors/response-validation-error.ts";
import { nameOfCall } from "../request/request.ts";
import type { ResponseToDecode } from "./response-to-decode.ts";

/** Creates the error for a body that is larger than the client reads. */
export function tooLarge(received: ResponseToDecode): ResponseValidationError {
  const { response, settings, endpoint } = received;
  const { readByRecord } = endpoint.row;
  const [message, larger] =
    response.dropped === "it is too long"
      ? ["is longer than the longest string of this runtime", "Ask the service for less at once."]
      : [
          `is larger than maxResponseBytes (${settings.maxResponseBytes})`,
          "If you expect a response of that size, raise maxResponseBytes of the call.",
        ];
  return rejection(received, {
    problems: [{ path: "", message }],
    body: "",
    advice: `The call was carried out. ${
      readByRecord === undefined || readByRecord === endpoint.call
        ? larger
        : `Use ${readByRecord}(), which reads a list of any size.`
    }`,
  });
}

export const NOT_EXACT =
  "The call was carried out. Configure the deployment, or the proxy in front of it, to respond in UTF-8.";

/**
 * Tells whether a body is a web page. A proxy, or a network that requires a sign-in, may respond with a page and status 200,
 * which would look like a successful text response. Unlike JSON or a message of a service, a page begins with a tag, a comment, a
 * doctype or an XML declaration.
 */
export function isWebPage(body: string): boolean {
  return /^\s*<[a-z!?/]/i.test(body);
}

/** Creates the error for a web page. It is thrown under `validation: "warn"` too, because the response is not from the service. */
export function webPage(received: ResponseToDecode): ResponseValidationError {
  return rejection(received, {
    outcome: "unknown",
    problems: [{ path: "", message: "it is a web page" }],
    advice:
      "Check baseUrl, and any proxy in between that may require a sign-in. The call may have been carried out anyway.",
  });
}

/** Creates the error for a body that does not fit. */
export function invalid(
  received: ResponseToDecode,
  problems: readonly Problem[],
  advice?: string,
): ResponseValidationError {
  return rejection(received, { problems: withoutSecrets(received, problems), advice });
}

/** Hides secrets in problems: a path may contain names that the server chose, and so may a user's schema. */
export function withoutSecrets(
  { holdsSecret }: ResponseToDecode,
  problems: readonly Problem[],
): Problem[] {
  return problems.map(({ path, message }) => ({
    path: holdsSecret(path) ? "[redacted]" : path,
    message: holdsSecret(message) ? "does not fit the schema" : message,
  }));
}

type Rejection = Pick<
  ConstructorParameters<typeof ResponseValidationError>[1],
  "problems" | "advice"
> & {
  readonly outcome?: Outcome;
  readonly body?: string;
};

function rejection(
  { endpoint, attempts, index, response }: ResponseToDecode,
  { outcome = "applied", ...init }: Rejection,
): ResponseValidationError {
  const context = { ...nameOfCall(endpoint), outcome, attempts, recordsRead: index };
  const { status, body } = response;
  return new ResponseValidationError(context, { status, body, ...init });
}
