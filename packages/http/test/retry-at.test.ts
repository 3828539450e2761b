import { expect, test } from "vitest";
import type { ApiError, FetchFunction } from "../src/internal.ts";
import { createThings, errorOf } from "./things.ts";

function respondWith(status: number, retryAfter: string): FetchFunction {
  return async () => new Response("", { status, headers: { "retry-after": retryAfter } });
}

test("an error names the time to retry even if no attempt is left", async () => {
  const things = createThings({ fetch: respondWith(429, "30"), retry: false });
  const error = await errorOf<ApiError>(things.list());
  expect(error.attempts[0]?.reason).toBe("all 1 attempts are used");
  expect(error.retryAt?.getTime()).toBeGreaterThan(Date.now() + 25_000);
  expect(error.message).toContain(`call again after ${error.retryAt?.toISOString()}`);
});

test("a call retries after a wait of zero", async () => {
  const error = await errorOf<ApiError>(createThings({ fetch: respondWith(503, "0") }).list());
  expect(error.attempts.at(-1)?.reason).toBe("all 3 attempts are used");
});

test.for(["99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])(
  "retryAt is a valid date for an endless wait (%s)",
  async (retryAfter) => {
    const error = await errorOf<ApiError>(
      createThings({ fetch: respondWith(503, retryAfter) }).list(),
    );
    expect(error.name).toBe("ApiError");
    expect(error.retryAt?.getTime()).toBeGreaterThan(Date.now());
  },
);

test("a POST that may have been carried out advises a check before a retry, even if a 503 names a wait", async () => {
  const things = createThings({ fetch: respondWith(503, "30") });
  const error = await errorOf<ApiError>(things.create({ name: "one" }));
  expect(error.message).toContain("check that before you send it again");
  expect(error.retryAt).toBeInstanceOf(Date);
});

test("the error of a 408 does not advise the caller to correct the input", async () => {
  const error = await errorOf<ApiError>(createThings({ fetch: respondWith(408, "") }).list());
  expect(error.message).not.toContain("Correct the input");
});
