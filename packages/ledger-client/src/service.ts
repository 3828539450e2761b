import { readRecord } from "@fieldmesh/core/internal";
import { STATUS, type Service } from "@fieldmesh/http/internal";

/** The error body of the ledger is `{error: text}`. A proxy in front of it sends HTML or plain text. */
export const ledgerService: Service = {
  name: "the ledger",
  // Everything on it is public, also what is named `signature` or `key`.
  hides: false,
  readError(response, meaning) {
    const error = readRecord(response.body)["error"];
    const code = typeof error === "string" ? CODES.get(error.toLowerCase()) : undefined;
    if (response.status === STATUS.tooManyRequests)
      return { code, message: meaning ?? "too many requests" };
    return { code, message: meaning ?? code?.replaceAll("_", " "), advice: adviceFor(code) };
  },
  // Its Retry-After has the same time in whole seconds, rounded down, and is therefore often 0.
  readRetryHint({ body }) {
    const wait = readRecord(body)["come_back_in_ms"];
    return typeof wait === "number" && wait >= 0 ? wait : undefined;
  },
};

/** The observed errors, as codes to branch on. Other errors are not shown, because they may repeat a value. */
const CODES = new Map(
  ["bad request", "cursor expired", "not found", "conflict", "too busy"].map((error) => [
    error,
    error.replaceAll(" ", "_"),
  ]),
);

function adviceFor(code: string | undefined): string | undefined {
  return code === "too_busy" ? "The ledger is busy; call again later." : undefined;
}
