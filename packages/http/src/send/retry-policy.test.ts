import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PreparedCall } from "./prepared-call.ts";
import type { AttemptFailure } from "./failure.ts";
import { createPause } from "../limit/pause.ts";
import { createRetryBudget, type RetryBudget } from "./shared.ts";
import {
  decideRetry,
  isLimit,
  isUnauthorized,
  mayPassStatus,
  type FailedAttempt,
} from "./retry-policy.ts";

interface Given {
  method?: string;
  idempotencyKey?: boolean;
  trustIdempotencyKeys?: boolean;
  attempts?: number;
  service?: object;
}

function callOf({
  method = "GET",
  idempotencyKey = false,
  trustIdempotencyKeys = false,
  attempts = 3,
  service = {},
}: Given = {}): PreparedCall {
  const settings = { attempts, baseDelay: 100, maxDelay: 1_000 };
  return {
    endpoint: { row: { idempotencyKey } },
    request: { method },
    settings,
    trustIdempotencyKeys,
    service,
    budget: createRetryBudget(),
    pause: createPause(settings as never),
    permits: { rejected: vi.fn() },
  } as unknown as PreparedCall;
}

const responded = (status: number, headers: Record<string, string> = {}): AttemptFailure =>
  ({ kind: "response", response: { status, headers: new Headers(headers) } }) as AttemptFailure;
const broken = (outcome: "not_sent" | "unknown", final = false): AttemptFailure => ({
  kind: "network",
  code: "ECONNRESET",
  happened: "",
  outcome,
  final,
});
const decide = (failure: AttemptFailure, given: Given = {}, attempt: Partial<FailedAttempt> = {}) =>
  decideRetry(callOf(given), {
    failure,
    sentAt: 0,
    failed: 1,
    mayAskForKey: false,
    timeLeft: 60_000,
    ...attempt,
  });

const RANDOM = "retried after a random wait";
const AS_TOLD = "retried at the time that the server named";
const TOO_LONG = "the server asks to wait longer than the call may last";
const AGAIN = "it would fail again";
const once = (method: string) =>
  `it may have been carried out, and a ${method} without idempotency key is not sent twice`;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "Date"], now: 1_000_000 });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a retry", () => {
  test.each([
    ["GET", RANDOM],
    ["PUT", RANDOM],
    ["DELETE", RANDOM],
    ["POST", once("POST")],
    ["PATCH", once("PATCH")],
  ])("of a %s that may have been carried out: %s", (method, reason) => {
    for (const failure of [
      { kind: "timeout", limit: "timeout", after: 1, left: 1 } as const,
      broken("unknown"),
      ...[408, 500, 502, 503, 504].map((status) => responded(status)),
    ]) {
      const decision = decide(failure, { method });
      expect(decision.reason).toBe(reason);
      expect(decision.wait).toBe(reason === RANDOM ? 50 : undefined);
    }
  });

  test.each<[AttemptFailure, string]>([
    [{ kind: "aborted" }, "the signal was aborted"],
    [{ kind: "key", happened: "" }, AGAIN],
    [{ kind: "mistake" } as AttemptFailure, AGAIN],
    [{ kind: "unsent" }, AGAIN],
    [{ kind: "unforeseen", thrown: new Error("a bug") }, AGAIN],
    [{ kind: "held", response: { status: 429 } } as AttemptFailure, TOO_LONG],
  ])("never follows %o", (failure, reason) => {
    expect(decide(failure)).toEqual({ reason, retryAt: undefined });
  });
});

describe("a wait", () => {
  test("is random below a limit that doubles up to the maximum", () => {
    const waits = (random: number) => {
      vi.mocked(Math.random).mockReturnValue(random);
      return [1, 2, 3, 4, 5, 6].map(
        (failed) => decide(responded(503), { attempts: 9 }, { failed }).wait,
      );
    };
    expect(waits(0)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(waits(0.5)).toEqual([50, 100, 200, 400, 500, 500]);
    expect(waits(1)).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  test("lasts as long as the server asks, plus a random time", () => {
    const failure = responded(503, { "retry-after": "2" });
    expect(decide(failure)).toEqual({ wait: 2_500, reason: AS_TOLD });
    vi.mocked(Math.random).mockReturnValue(0);
    expect(decide(failure)).toEqual({ wait: 2_000, reason: AS_TOLD });
    expect(decide(responded(503, { "retry-after": "0" }))).toEqual({ wait: 0, reason: AS_TOLD });
  });

  test("that exceeds the time left ends the call and names the time to retry", () => {
    const failure = responded(503, { "retry-after": "60" });
    expect(decide(failure, {}, { timeLeft: 60_000 })).toEqual({
      reason: TOO_LONG,
      retryAt: new Date(1_060_000),
    });
    expect(decide(failure, {}, { timeLeft: 60_001 }).reason).toBe(AS_TOLD);
    expect(decide(failure, { method: "POST" })).toEqual({
      reason: once("POST"),
      retryAt: new Date(1_060_000),
    });
    // The wait is at most a year, so that the date exists.
    const year = 365 * 24 * 60 * 60 * 1_000;
    const far = responded(503, { "retry-after": "99999999999999" });
    expect(decide(far).retryAt).toEqual(new Date(1_000_000 + year));
    expect(decide(responded(503), {}, { timeLeft: 50 })).toEqual({
      reason: "no time is left for another attempt",
      retryAt: undefined,
    });
    expect(decide(responded(503), {}, { timeLeft: 51 }).wait).toBe(50);
    expect(decide(responded(503, { "retry-after": "0" }), {}, { timeLeft: 0 }).reason).toBe(
      "no time is left for another attempt",
    );
  });

  test("does not follow the last attempt or an empty retry budget", () => {
    expect(decide(responded(503), {}, { failed: 2 }).reason).toBe(RANDOM);
    expect(decide(responded(503), {}, { failed: 3 }).reason).toBe("all 3 attempts are used");
    expect(decide(responded(503), { attempts: 1 }).reason).toBe("all 1 attempts are used");
    const call = callOf();
    while (call.budget.spend());
    const attempt = {
      failure: responded(503),
      sentAt: 0,
      failed: 1,
      mayAskForKey: false,
      timeLeft: 60_000,
    };
    expect(decideRetry(call, attempt)).toEqual({
      reason: "the client's retry budget is used up: too many requests fail",
      retryAt: undefined,
    });
  });
});

test("the statuses that may pass are 408, 429, 500, 502, 503 and 504", () => {
  const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);
  expect(statuses.filter(mayPassStatus)).toEqual([408, 429, 500, 502, 503, 504]);
  expect(statuses.filter((status) => isLimit(responded(status)))).toEqual([429]);
  expect(statuses.filter((status) => isUnauthorized(responded(status)))).toEqual([401]);
  const held = { kind: "held", response: { status: 429 } } as AttemptFailure;
  expect(isLimit(held)).toBe(false);
  const odd = { kind: "held", response: { status: 401 } } as AttemptFailure;
  expect(isUnauthorized(odd)).toBe(false);
});

const spendAll = (budget: RetryBudget): number => {
  let spent = 0;
  while (budget.spend()) if (++spent === 1_000) break;
  return spent;
};

test("fourteen successes without a retry pay for one retry", () => {
  const budget = createRetryBudget();
  spendAll(budget);
  // A budget of 500 pays for 35 retries and leaves 10.
  for (let success = 0; success < 3; success++) budget.succeeded(0);
  expect(budget.spend()).toBe(false);
  budget.succeeded(0);
  expect(budget.spend()).toBe(true);
  for (let success = 0; success < 13; success++) budget.succeeded(0);
  expect(budget.spend()).toBe(false);
  budget.succeeded(0);
  expect(budget.spend()).toBe(true);
});

test("a budget never exceeds its maximum", () => {
  const budget = createRetryBudget();
  for (let success = 0; success < 1_000; success++) budget.succeeded(3);
  expect(spendAll(budget)).toBe(35);
});
