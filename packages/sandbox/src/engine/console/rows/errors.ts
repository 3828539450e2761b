import { jsonResponse, textResponse } from "../../serve/responses.ts";
import type { Call } from "../../serve/call.ts";
import type { Misfit } from "../../serve/read-input.ts";

/** Returns `{errors: {error: […]}}`, the console's body for 400, 403 and 404. */
export function consoleError(status: 400 | 403 | 404, message: string): Response {
  return jsonResponse({ errors: { error: [message] } }, { status });
}

/** Returns the console's body for a rejected record: `{errors: {<field>: […]}}`. */
export function notAccepted(fields: Readonly<Record<string, readonly string[]>>): Response {
  return jsonResponse({ errors: fields }, { status: 422 });
}

/** Returns the console's response for a record that does not exist. */
export function notFound(what: "Label" | "Device" | "Integration" | "Flow"): Response {
  return consoleError(404, `${what} not found`);
}

/** Responds with what `respond` returns for a record, or that there is none. */
export function ifFound<Record, Output>(
  record: Record | undefined,
  what: Parameters<typeof notFound>[0],
  respond: (record: Record) => Output,
): Output | Response {
  return record === undefined ? notFound(what) : respond(record);
}

/** Responds to an input that the schemas of the row reject. */
export function rejectInput(misfits: readonly Misfit[], { endpoint }: Call): Response {
  // An invalid id or an empty name is that of no record.
  const meaning = endpoint?.errors[404];
  const inBody = misfits.filter(({ part }) => part === "body");
  if (inBody.length > 0) return notAccepted(fieldErrors(inBody));
  return meaning === undefined
    ? textResponse("Bad Request", { status: 400 })
    : consoleError(404, meaning);
}

const PLAIN = new Set(["dev_eui", "app_eui", "app_key"]);

/** Tells whether a schema rejects the digits of an EUI or a key, which are strings in the spec. */
export function isPlainString({ path, issue, value }: Misfit): boolean {
  const isDigits = issue.code === "invalid_format" && PLAIN.has(String(path.at(-1)));
  return isDigits && value !== "";
}

/** Returns the console's messages for invalid values, by field. */
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
  // Rules with their own message are already sentences: "must be 16 hexadecimal digits".
  return issue.message.startsWith("must ") ? issue.message : "is invalid";
}
