// What else was tried: docs/decisions/41-tries-of-an-attacker.md
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The test of each limit in the table of the guide "Security": a part of its row, the file, and a part of the title or of a case. */
const TESTS: readonly [row: string, file: string, title: string][] = [
  [
    "a delivery without a signature header",
    "webhook-types/test/strangers.test.ts",
    "without a signature header",
  ],
  [
    "a body behind a forged header",
    "webhook-types/test/strangers.test.ts",
    "a body that stops is given up after 30 s",
  ],
  [
    "many signatures in one header",
    "webhook-types/test/strangers.test.ts",
    "at most 8 are compared",
  ],
  ["forged signatures", "webhook-types/test/strangers.test.ts", "is remembered for 10 s"],
  ["invented tenants", "webhook-types/test/strangers.test.ts", "10,001 invented tenants"],
  [
    "rejected deliveries of any kind",
    "webhook-types/test/strangers.test.ts",
    "a line a minute with the count",
  ],
  ["forged deliveries", "webhook-types/test/strangers.test.ts", "reaches onError, once a minute"],
  ["an event of any depth", "webhook-types/test/strangers.test.ts", "nested 5,000 levels deep"],
  ["a payload", "webhook-types/test/poison.test.ts", "a payload that is not encrypted is rejected"],
  ["a job of another queue", "webhook-types/test/queue.test.ts", "although the key is the same"],
  ["without its header", "mapper-client/test/strangers.test.ts", "no header"],
  ["the same, a body", "mapper-client/test/strangers.test.ts", "408"],
  ["many uplinks", "mapper-client/test/deliveries.test.ts", "maxWaiting"],
  ["an uplink that you forward", "mapper-client/test/public-part.test.ts", "keep"],
  ["a redirect of a GET", "http/test/paths.test.ts", "redirect"],
  ["a response", "http/test/funnel.test.ts", "maxResponseBytes"],
  ["a list", "http/src/pager/loop-check.properties.test.ts", "loop"],
  ["a hint to wait", "http/src/wire/hint.test.ts", "hint"],
  ["names of fields", "core/src/secret-names.test.ts", "cost no memory"],
  ["what a terminal obeys", "cli/test/output.test.ts", "names"],
  ["errors of ChirpStack", "cli/test/fleet/target-errors.test.ts", "key"],
  ["cells in messages", "cli/test/fleet/shown-cells.test.ts", "column 4"],
  ["comes back in an export", "cli/test/output.test.ts", "formula"],
  [
    "a link, an image, a form",
    "sandbox/src/server/access.test.ts",
    "a request that a browser calls",
  ],
  [
    "copy as curl",
    "sandbox/page/copy.test.ts",
    "sends a hostile $place of a copied request unchanged",
  ],
  ["controls and snapshots", "sandbox/src/server/access.test.ts", "no byte of a body is read"],
  ["the services of the sandbox", "sandbox/src/server/access.test.ts", "may have 4 MiB"],
  ["files of the sandbox", "cli/test/written-files.slow.test.ts", "mode"],
  ["its response to the sandbox", "sandbox/src/engine/controls/delivery-view.test.ts", "secret"],
  [
    "`webhooks listen` and `record`",
    "sandbox/src/commands/webhooks/delivery-server.test.ts",
    "minute",
  ],
];

const guide = readFileSync(join(import.meta.dirname, "guides", "security.md"), "utf8");
const [, section = ""] = guide.split("## What a stranger can cost you\n");
const rows = (section.split("\n## ")[0] ?? "")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (?:party|---)/.test(line));

test.each(rows)("%s has the test of its limit", (row) => {
  const named = TESTS.filter(([part]) => row.split(" | ")[1]?.includes(part));
  expect(named).toHaveLength(1);
  for (const [, file, title] of named)
    expect(readFileSync(join(import.meta.dirname, "../packages", file), "utf8")).toContain(title);
});

test("each test is named by a row", () => {
  expect(rows).toHaveLength(TESTS.length);
});
