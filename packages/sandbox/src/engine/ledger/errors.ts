import { jsonResponse, textResponse } from "../serve/responses.ts";
import type { StatusFault } from "../serve/fault.ts";

const TEXTS = { 400: "Bad Request", 404: "Not Found", 503: "Too Busy" } as const;

/** `{error: text}`: how the ledger reports an error. */
export function ledgerError(status: 400 | 404 | 503, text: string = TEXTS[status]): Response {
  return jsonResponse({ error: text }, { status });
}

const SECOND = 1_000;

/** The ledger's own 429: the wait in the body, and in whole seconds, rounded down, in the header. */
export function tooBusy(ms: number): Response {
  return jsonResponse(
    { error: "Too Busy", come_back_in_ms: ms },
    { status: 429, headers: { "retry-after": String(Math.floor(ms / SECOND)) } },
  );
}

const EDGE_PAGE =
  "<html><head><title>429 Too Many Requests</title></head><body>nginx</body></html>";

/** The proxy before the ledger responds 429 in HTML to a request without a User-Agent. */
export function rejectedByEdge(): Response {
  return textResponse(EDGE_PAGE, { status: 429, contentType: "text/html" });
}

/** Faults of the ledger, for a fault script: `{ on: "accounts.list", ...ledgerFaults.busy }`. */
export const ledgerFaults = {
  /** 429 with `come_back_in_ms` and a Retry-After of 0. */
  throttled: {
    kind: "status",
    status: 429,
    body: { error: "Too Busy", come_back_in_ms: 20 },
    retryAfter: 0,
  },
  /** 429 in HTML, from the edge. */
  throttledAtEdge: { kind: "status", status: 429, body: EDGE_PAGE, contentType: "text/html" },
  busy: { kind: "status", status: 503, body: { error: "Too Busy" } },
  /** 500 in plain text. */
  broken: { kind: "status", status: 500, body: "Internal Server Error", contentType: "text/plain" },
} as const satisfies Readonly<Record<string, StatusFault>>;
