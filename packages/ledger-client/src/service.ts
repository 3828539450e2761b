import { readRecord } from "@fieldmesh/core";
import type { ApiErrorDetails, Service } from "@fieldmesh/http";

/** How the ledger says no: `{error: text}`, and at its edge HTML or plain text. */
export const ledgerService: Service = {
  name: "the ledger",
  readError(answer, meaning) {
    const text = readRecord(answer.body)["error"];
    const known = typeof text === "string" ? KNOWN.get(text.toLowerCase()) : undefined;
    const code = known === undefined ? {} : { code: known };
    if (answer.status === TOO_MANY_REQUESTS)
      return { ...code, message: meaning ?? "too many requests" };
    return { ...code, message: meaning ?? known?.replaceAll("_", " "), ...adviceFor(known) };
  },
  // Its Retry-After is the same in whole seconds, rounded down, and so is often 0.
  readRetryHint({ body }) {
    const wait = readRecord(body)["come_back_in_ms"];
    return typeof wait === "number" && wait >= 0 ? wait : undefined;
  },
};

const TOO_MANY_REQUESTS = 429;

/** The texts that running deployments say, as codes to branch on; no other text is shown, it may repeat a value. */
const KNOWN = new Map(
  ["Bad Request", "Cursor Expired", "Not Found", "Conflict", "Too Busy"].map((text) => [
    text.toLowerCase(),
    text.toLowerCase().replaceAll(" ", "_"),
  ]),
);

function adviceFor(code: string | undefined): Pick<ApiErrorDetails, "advice"> {
  return code === "too_busy" ? { advice: "The ledger is busy; call again later." } : {};
}
