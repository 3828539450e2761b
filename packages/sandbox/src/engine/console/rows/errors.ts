import { jsonResponse, textResponse } from "../../responses.ts";
import type { Call } from "../../call.ts";
import type { Misfit } from "../../read-input.ts";

/** `{errors: {error: […]}}`: how the console says 400, 403 and 404. */
export function consoleError(status: 400 | 403 | 404, message: string): Response {
  return jsonResponse({ errors: { error: [message] } }, { status });
}

/** `{errors: {<field>: […]}}`: how it says that a record was not accepted. */
export function notAccepted(fields: Readonly<Record<string, readonly string[]>>): Response {
  return jsonResponse({ errors: fields }, { status: 422 });
}

/** What the console says of a record that is not there. */
export function notFound(what: "Label" | "Device" | "Integration" | "Flow"): Response {
  return consoleError(404, `${what} not found`);
}

/** Responds to an input that the row's schemas reject. */
export function rejectInput(misfits: readonly Misfit[], { endpoint }: Call): Response {
  // An id that is none, or an empty name, is that of no record.
  const meaning = endpoint?.errors[404];
  const inBody = misfits.filter(({ part }) => part === "body");
  if (inBody.length > 0) return notAccepted(fieldErrors(inBody));
  return meaning === undefined
    ? textResponse("Bad Request", { status: 400 })
    : consoleError(404, meaning);
}

/** The console's words for what does not fit, by field. */
export function fieldErrors(misfits: readonly Misfit[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const misfit of misfits)
    (errors[String(misfit.path[0] ?? "error")] ??= []).push(ruleOf(misfit));
  return errors;
}

function ruleOf({ issue, value }: Misfit): string {
  if (value === undefined || value === null || value === "") return "can't be blank";
  if (issue.code === "too_big" && typeof value === "string")
    return `should be at most ${issue.maximum} character(s)`;
  // Rules with a message of their own are sentences already: "must be 16 hexadecimal digits".
  return issue.message.startsWith("must ") ? issue.message : "is invalid";
}
