import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { responseOf, type DeliveryOutcome } from "../src/receiver/responses.ts";

// A new outcome does not compile until it is listed here.
const every: Record<DeliveryOutcome, true> = {
  handled: true,
  duplicate: true,
  superseded: true,
  set_aside: true,
  not_set_aside: true,
  in_progress: true,
  failed: true,
  lease_lost: true,
  store_failed: true,
  stored: true,
  queue_failed: true,
  not_post: true,
  too_large: true,
  unreadable: true,
  not_verified: true,
  not_parsed: true,
  wrong_livemode: true,
};

test("the table of the guide contains every outcome, its response and the reaction of the sender", () => {
  const rows = readTable();
  expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(Object.keys(every)));
  expect(rows).toEqual(rows.map(({ outcome }) => rowOf(outcome)));
});

test("a response has the headers allow, retry-after and connection only with their status codes", () => {
  for (const outcome of Object.keys(every) as DeliveryOutcome[]) {
    const { status, headers } = responseOf(outcome);
    expect(["allow" in headers, "retry-after" in headers, "connection" in headers]).toEqual([
      status === 405,
      status === 503,
      status === 413,
    ]);
  }
});

function rowOf(outcome: DeliveryOutcome) {
  const { status, headers } = responseOf(outcome);
  const then = status === 200 ? "is done" : "retries";
  // A sender of webhooks sends only POST requests.
  const sender = outcome === "not_post" ? "" : then;
  return { outcome, status, hasRetryAfter: "retry-after" in headers, sender };
}

function readTable() {
  const guide = join(import.meta.dirname, "../../../docs/guides/receiving-webhooks.md");
  const lines = readFileSync(guide, "utf8").split("\n");
  const rows = lines.slice(
    lines.indexOf("| outcome | response | what the sender does (observed) |") + 2,
  );
  return rows.slice(0, rows.indexOf("")).map((line) => {
    const [, name = "", answer = "", sender = ""] = line.split("|").map((cell) => cell.trim());
    return {
      outcome: /`(\w+)`/.exec(name)?.[1] as DeliveryOutcome,
      status: Number.parseInt(answer, 10),
      hasRetryAfter: answer.includes("Retry-After"),
      sender: sender.split(",")[0],
    };
  });
}
