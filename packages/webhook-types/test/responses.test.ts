import { expect, test } from "vitest";
import { responseOf, type DeliveryOutcome } from "../src/receiver/responses.ts";
import { everyOutcome } from "../../../tools/testing/every-outcome.ts";

test("a response has the headers allow, retry-after and connection only with their status codes", () => {
  for (const outcome of Object.keys(everyOutcome) as DeliveryOutcome[]) {
    const { status, headers } = responseOf(outcome);
    expect(["allow" in headers, "retry-after" in headers, "connection" in headers]).toEqual([
      status === 405,
      status === 503,
      outcome === "too_large" || outcome === "incomplete",
    ]);
  }
});
