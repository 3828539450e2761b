import { readRecord, recordOf } from "@fieldmesh/core/internal";
import {
  STATUS,
  type ApiErrorDetails,
  type Service,
  type ShowText,
} from "@fieldmesh/http/internal";

/** Error bodies are problem details (RFC 9457) with a `code` and the wrong fields (observed). */
export const mobileService: Service = {
  name: "the mobile service",
  hides: { keepsMetadata: true },
  countsWritesApart: true,
  readError(response, meaning, show) {
    const { code: word, errors } = readRecord(response.body);
    const code = readCode(word, show);
    const fields = fieldsOf(errors, show);
    const said = Object.entries(fields).map(([field, codes]) => `${field} ${codes.join(", ")}`);
    return {
      code,
      // The title and the detail may repeat a value. The codes of fields do not.
      message: said.length > 0 ? said.join("; ") : (meaning ?? code),
      fields,
      ...adviceOn(response.status, word),
    };
  },
  // A request with this idempotency key is in progress. A retry succeeds once that request has finished.
  isInFlight: (response) =>
    response.status === STATUS.conflict && isInFlight(readRecord(response.body)["code"]),
};

const ADVICE: Readonly<Record<number, string>> = {
  403: "Add the capability that this call needs to the key.",
};
const IN_FLIGHT =
  "An earlier attempt is still in progress and may be carried out: repeat the call with the same idempotencyKey.";

function adviceOn(status: number, code: unknown): Pick<ApiErrorDetails, "advice"> {
  const advice = status === STATUS.conflict && isInFlight(code) ? IN_FLIGHT : ADVICE[status];
  return advice === undefined ? {} : { advice };
}

/** A 409 that names no other conflict concerns the idempotency key. The published notes name no code for it. */
function isInFlight(code: unknown): boolean {
  return code === undefined || (typeof code === "string" && /idempoten|in_flight/.test(code));
}

/** Returns each wrong field with the stable codes of the service. Converts its JSON pointer to a path. */
function fieldsOf(errors: unknown, show: ShowText): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const each of Array.isArray(errors) ? errors.slice(0, MOST_FIELDS) : []) {
    const { path, code: word } = recordOf(each);
    const code = readCode(word, show);
    if (typeof path !== "string" || !/^(\/[\w-]{1,40}){1,6}$/.test(path) || code === undefined)
      continue;
    const field = show(path.slice(1).replaceAll("/", "."));
    if (field !== undefined) (fields[field] ??= []).push(code);
  }
  return fields;
}

const MOST_FIELDS = 50;

/** Returns a code to branch on. Any other string may contain a value. */
function readCode(value: unknown, show: ShowText): string | undefined {
  return typeof value === "string" && /^[a-z][a-z_.]{1,60}$/.test(value) ? show(value) : undefined;
}
