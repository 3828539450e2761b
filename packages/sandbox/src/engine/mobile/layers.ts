import type { Clock } from "@fieldmesh/core";
import type { Layer } from "../call.ts";
import { problem } from "./problem.ts";

/** Which environment a key opens. */
export type KeyMode = "sandbox" | "live";

/** The layer that lets in who shows a known key. */
export function checkBearer(keys: ReadonlyMap<string, KeyMode>): Layer {
  return (next) => async (call) => {
    const [, key = ""] =
      /^Bearer (\S+)$/.exec(call.request.headers.get("authorization") ?? "") ?? [];
    return keys.has(key) ? next(call) : problem(401, "invalid_api_key");
  };
}

/** Requests that a key may send within a minute. */
export interface Budgets {
  readonly reads: number;
  readonly writes: number;
}

const MINUTE = 60_000;
const SECOND = 1_000;

/** The layer that counts reads and writes by themselves, says with every answer what is left, and 429 where nothing is. */
export function keepBudgets(budgets: Budgets, clock: Clock): Layer {
  const windows = new Map<string, { ends: number; count: number }>();
  return (next) => async (call) => {
    const kind = call.request.method === "GET" ? "reads" : "writes";
    const name = `${kind} ${call.request.headers.get("authorization")}`;
    const now = clock.now();
    let window = windows.get(name);
    if (window === undefined || window.ends <= now)
      windows.set(name, (window = { ends: now + MINUTE, count: 0 }));
    window.count++;
    const limit = budgets[kind];
    const reset = String(Math.ceil((window.ends - now) / SECOND));
    const state = {
      "ratelimit-limit": String(limit),
      "ratelimit-remaining": String(Math.max(0, limit - window.count)),
      "ratelimit-reset": reset,
    };
    if (window.count > limit)
      return problem(429, "rate_limited", { headers: { ...state, "retry-after": reset } });
    const answer = await next(call);
    for (const [header, value] of Object.entries(state)) answer.headers.set(header, value);
    return answer;
  };
}

const DAY = 24 * 60 * MINUTE;
const WRITES = new Set(["POST", "PUT", "DELETE"]);

/**
 * The layer of idempotency keys: a call whose key is known is answered as the first one was, byte for byte, for 24 hours,
 * and 409 while that is under way.
 */
export function rememberKeys(clock: Clock): Layer {
  /** Without an answer yet, a call is under way. */
  const answers = new Map<string, { until: number; request: string; answer?: Response }>();
  return (next) => async (call) => {
    const key = call.request.headers.get("idempotency-key");
    if (key === null || !WRITES.has(call.request.method)) return next(call);
    const name = `${call.request.headers.get("authorization")} ${key}`;
    const request = `${call.request.method} ${call.url.pathname} ${call.body}`;
    const now = clock.now();
    const known = answers.get(name);
    if (known !== undefined && known.until > now) {
      if (known.request !== request) return problem(422, "idempotency_key_reused");
      if (known.answer === undefined)
        return problem(409, "idempotency_key_in_flight", { headers: { "retry-after": "1" } });
      call.done = known.answer.ok;
      return replay(known.answer);
    }
    const entry: { until: number; request: string; answer?: Response } = {
      until: now + DAY,
      request,
    };
    answers.set(name, entry);
    const answer = await next(call);
    entry.answer = answer;
    // What failed on the server's side may be tried again under the same key.
    if (answer.status >= 500) answers.delete(name);
    return answer.clone();
  };
}

function replay(first: Response): Response {
  const again = first.clone();
  again.headers.set("idempotency-replayed", "true");
  return again;
}
