import { expect, test, vi } from "vitest";
import { ApiError, CallError, isApiError, TimeoutError } from "../src/index.ts";

test("instanceof and the guards work for an error of another copy of the package", async () => {
  vi.resetModules();
  const other = await import("../src/index.ts");
  expect(other.ApiError).not.toBe(ApiError);
  class ServiceError extends other.ApiError {
    static {
      this.prototype.name = "ServiceError";
    }
  }
  const error = new ServiceError(
    { call: "things.get", route: "GET /v1/things/:name", outcome: "rejected", attempts: [] },
    { status: 404, requestId: undefined, headers: new Headers(), body: "" },
  );
  expect(error instanceof ApiError).toBe(true);
  expect(error instanceof CallError).toBe(true);
  expect(error instanceof TimeoutError).toBe(false);
  expect(isApiError(error, 404)).toBe(true);
});
