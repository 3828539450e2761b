import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HOOKS } from "../packages/http/src/options/hooks.ts";
import { readSettings } from "../packages/http/src/options/settings.ts";
import {
  responseOf,
  type DeliveryOutcome,
} from "../packages/webhook-types/src/receiver/responses.ts";
import { everyOutcome } from "../tools/testing/every-outcome.ts";

// What tables of the guides say, compared with the code.

const read = (guide: string): string =>
  readFileSync(join(import.meta.dirname, "guides", guide), "utf8");

test("the guide says of each hook when it is called", () => {
  const [, section = ""] = read("clients.md").split("## Hooks and logs");
  expect(Object.keys(HOOKS).filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

test("the guide states the default number of attempts that the code uses", () => {
  const { attempts } = readSettings({ baseUrl: "https://things.test" });
  expect(read("clients.md")).toContain(`| \`retry\` | ${attempts} attempts |`);
});

test("the table of the guide contains every outcome, its response and the reaction of the sender", () => {
  const rows = readTable();
  expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(Object.keys(everyOutcome)));
  expect(rows).toEqual(rows.map(({ outcome }) => rowOf(outcome)));
});

function rowOf(outcome: DeliveryOutcome) {
  const { status, headers } = responseOf(outcome);
  const then = status === 200 ? "is done" : "retries";
  // A sender of webhooks sends only POST requests.
  const sender = outcome === "not_post" ? "" : then;
  return { outcome, status, hasRetryAfter: "retry-after" in headers, sender };
}

function readTable() {
  const lines = read("receiving-webhooks.md").split("\n");
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
