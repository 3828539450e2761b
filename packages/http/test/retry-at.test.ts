import { expect, test } from "vitest";
import type { ApiError, FetchFunction } from "../src/index.ts";
import { createThings, errorOf } from "./things.ts";

function answering(status: number, retryAfter: string): FetchFunction {
  return async () => new Response("", { status, headers: { "retry-after": retryAfter } });
}

test("an error names the time to retry even if no attempt is left", async () => {
  const things = createThings({ fetch: answering(429, "30"), retry: false });
  const error = await errorOf<ApiError>(things.list());
  expect(error.attempts[0]?.reason).toBe("all 1 attempts are used");
  expect(error.retryAt?.getTime()).toBeGreaterThan(Date.now() + 25_000);
  expect(error.message).toContain(`call again after ${error.retryAt?.toISOString()}`);
});

test("a wait of zero does not exceed the time of the call", async () => {
  const error = await errorOf<ApiError>(createThings({ fetch: answering(503, "0") }).list());
  expect(error.attempts.at(-1)?.reason).toBe("all 3 attempts are used");
});

test.for(["99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])(
  "an endless wait (%s) still has a date",
  async (retryAfter) => {
    const error = await errorOf<ApiError>(
      createThings({ fetch: answering(503, retryAfter) }).list(),
    );
    expect(error.name).toBe("ApiError");
    expect(error.retryAt?.getTime()).toBeGreaterThan(Date.now());
  },
);

test("a POST that may have been carried out is to be read back first, whatever the server asks", async () => {
  const things = createThings({ fetch: answering(503, "30") });
  const error = await errorOf<ApiError>(things.create({ name: "one" }));
  expect(error.message).toContain("check that before you send it again");
  expect(error.retryAt).toBeInstanceOf(Date);
});

test("a 408 is not blamed on the input", async () => {
  const error = await errorOf<ApiError>(createThings({ fetch: answering(408, "") }).list());
  expect(error.message).not.toContain("Correct the input");
});
