import type { Clock } from "@fieldmesh/core";
import type { Layer } from "../serve/call.ts";
import { countPerMinute, type RateWindows } from "../serve/rate-limit.ts";
import { copyResponse, jsonResponse } from "../serve/responses.ts";

/** The environment that a key belongs to. */
export type KeyMode = "sandbox" | "live";

export function checkBearer(keys: ReadonlyMap<string, KeyMode>): Layer {
  return (next) => async (call) => {
    const [, key = ""] =
      /^Bearer (\S+)$/.exec(call.request.headers.get("authorization") ?? "") ?? [];
    if (keys.has(key)) return next(call);
    call.keyRejected = true;
    return problem(401, "invalid_api_key");
  };
}

/** The requests that a key may send within a minute. */
export interface Budgets {
  /** The GET requests per minute for each key. @default 600 (observed) */
  readonly reads: number;
  /** The other requests per minute for each key. @default 120 (observed) */
  readonly writes: number;
}

const SECOND = 1_000;

/** The layer of the rate limit. It counts reads and writes separately, adds the remaining count to each response, and responds with 429 if none is left. */
export function keepBudgets(budgets: Budgets, clock: Clock, windows?: RateWindows): Layer {
  const countRequest = countPerMinute(clock, windows);
  return (next) => async (call) => {
    const kind = call.request.method === "GET" ? "reads" : "writes";
    const { count, left } = countRequest(`${kind} ${call.request.headers.get("authorization")}`);
    const limit = budgets[kind];
    const reset = String(Math.ceil(left / SECOND));
    const state = {
      "ratelimit-limit": String(limit),
      "ratelimit-remaining": String(Math.max(0, limit - count)),
      "ratelimit-reset": reset,
    };
    if (count > limit)
      return problem(429, "rate_limited", { headers: { ...state, "retry-after": reset } });
    const response = await next(call);
    for (const [header, value] of Object.entries(state)) response.headers.set(header, value);
    return response;
  };
}

const DAY = 24 * 3_600_000;
const WRITES = new Set(["POST", "PUT", "DELETE"]);

/** A call with an idempotency key, and the first response to it. A call without a response is in progress. */
interface RememberedCall {
  readonly until: number;
  readonly request: string;
  response?: Response;
}

export type RememberedCalls = Map<string, RememberedCall>;

/** For 24 hours, a call with a known idempotency key receives the first response, or a 409 while that is in progress. */
export function rememberKeys(clock: Clock, remembered: RememberedCalls = new Map()): Layer {
  return (next) => async (call) => {
    const key = call.request.headers.get("idempotency-key");
    if (key === null || !WRITES.has(call.request.method)) return next(call);
    const name = `${call.request.headers.get("authorization")} ${key}`;
    const request = `${call.request.method} ${call.url.pathname} ${call.body}`;
    const now = clock.now();
    const known = remembered.get(name);
    if (known !== undefined && known.until > now) {
      if (known.request !== request) return problem(422, "idempotency_key_reused");
      if (known.response === undefined)
        return problem(409, "idempotency_key_in_flight", { headers: { "retry-after": "1" } });
      call.done = known.response.ok;
      const again = copyResponse(known.response);
      again.headers.set("idempotency-replayed", "true");
      return again;
    }
    const entry: RememberedCall = { until: now + DAY, request };
    remembered.set(name, entry);
    const response = await next(call);
    entry.response = response;
    // A call that failed at the server may be retried with the same key.
    if (response.status >= 500) remembered.delete(name);
    return copyResponse(response);
  };
}

/** What is wrong with one field, and its JSON pointer. */
interface FieldProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Problem details as in RFC 9457, with the service's own code. */
export function problem(
  status: number,
  code: string,
  { errors, headers }: { errors?: readonly FieldProblem[]; headers?: Record<string, string> } = {},
): Response {
  const title = code.replaceAll("_", " ");
  return jsonResponse(
    { type: `https://errors.invalid/${code}`, title, status, code, ...(errors && { errors }) },
    { status, contentType: "application/problem+json", ...(headers && { headers }) },
  );
}
