import type { CallFacts } from "../errors/call-error.ts";
import type { Problem } from "../errors/problem.ts";
import { ResponseValidationError } from "../errors/response-validation-error.ts";
import type { ResponseToDecode } from "./response-to-decode.ts";

/** Of a body that is larger than its client reads. */
export function tooLarge(received: ResponseToDecode): ResponseValidationError {
  const { response, settings } = received;
  return new ResponseValidationError(factsOf(received, "applied"), {
    status: response.status,
    problems: [
      { path: "", message: `is larger than maxResponseBytes (${settings.maxResponseBytes})` },
    ],
    body: "",
    advice:
      "The call was carried out. If you expect a response of that size, raise maxResponseBytes.",
  });
}

export const NOT_EXACT =
  "The call was carried out. Let the deployment, or the proxy before it, respond in UTF-8.";

/**
 * A proxy or a network that requires a sign-in responds with a page and 200: as text it would pass for a success. Neither JSON
 * nor a sentence of a service begins as a page does: with a tag, a comment, a doctype or an XML declaration.
 */
export function isWebPage(body: string): boolean {
  return /^\s*<[a-z!?/]/i.test(body);
}

/** Thrown under `validation: "warn"` too: the response is not from the service. */
export function webPage(received: ResponseToDecode): ResponseValidationError {
  const { status, body } = received.response;
  return new ResponseValidationError(factsOf(received, "unknown"), {
    status,
    problems: [{ path: "", message: "it is a web page" }],
    body,
    advice:
      "Check baseUrl, and any proxy in between that may require a sign-in. The call may have been carried out anyway.",
  });
}

/** Of a body that does not fit. */
export function invalid(
  received: ResponseToDecode,
  problems: readonly Problem[],
  advice?: string,
): ResponseValidationError {
  const { status, body } = received.response;
  return new ResponseValidationError(factsOf(received, "applied"), {
    status,
    problems: shown(received, problems),
    body,
    advice,
  });
}

/** A path may hold names of the server's choice, and a caller's schema may name them too. */
export function shown({ holdsSecret }: ResponseToDecode, problems: readonly Problem[]): Problem[] {
  return problems.map(({ path, message }) => ({
    path: holdsSecret(path) ? "[redacted]" : path,
    message: holdsSecret(message) ? "does not fit the schema" : message,
  }));
}

function factsOf({ bound, attempts }: ResponseToDecode, outcome: CallFacts["outcome"]): CallFacts {
  return { call: bound.call, route: bound.row.route, outcome, attempts };
}
