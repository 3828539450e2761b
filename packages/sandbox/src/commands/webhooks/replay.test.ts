import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { CommandError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { fakeSandbox, type Reply } from "../testing/fake-sandbox.ts";
import { run as replay } from "./replay.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";

const SECRET = canaries.webhookSecret;
const folder = temporaryFolder(afterAll);

const contextOf = (isJson = false) =>
  testContext({ env: { FIELDMESH_WEBHOOK_SECRET: SECRET }, isJson });

// A delivery of a sandbox.

const AT = Date.parse("2026-11-20T08:30:00Z");
const attempt = (outcome: string, status?: number) => ({ at: AT, outcome, status, duration: 1 });
const delivery = (id: string, event_id: string, ...attempts: readonly object[]) => ({
  id,
  event_id,
  type: "sim.activated",
  endpoint_id: "we_1",
  status: "delivered",
  attempts,
});
const FIRST = delivery("del_1", "evt_1", attempt("rejected", 500), attempt("accepted", 200));
const SECOND = delivery("del_2", "evt_1", attempt("accepted", 200), attempt("no_response"));
const OTHER = delivery("del_3", "evt_2", attempt("accepted", 202));

const serve = (more: Record<string, Reply> = {}) =>
  fakeSandbox({
    "GET /webhooks/deliveries": [FIRST, SECOND, OTHER],
    "POST /webhooks/deliveries/del_1/replay": FIRST,
    "POST /webhooks/deliveries/del_2/replay": SECOND,
    "POST /webhooks/deliveries/del_3/replay": OTHER,
    ...more,
  });
const of = (sandboxUrl: string, id?: string) => ({ arguments: [id], options: { sandboxUrl } });

test("all deliveries of an event are replayed, and the last attempt of each counts", async () => {
  await using sandbox = await serve();
  const context = contextOf();
  await expect(replay(context, of(sandbox.origin, "evt_1"))).rejects.toThrow(
    new CommandError("1 of 2 deliveries were not accepted."),
  );
  expect(context.lines).toEqual([
    "sim.activated  del_1  we_1  delivered  200",
    "sim.activated  del_2  we_1  delivered  no_response",
  ]);
  expect(sandbox.requests.map(({ line, body }) => [line, body])).toEqual([
    ["GET /webhooks/deliveries", ""],
    ["POST /webhooks/deliveries/del_1/replay", "{}"],
    ["POST /webhooks/deliveries/del_2/replay", "{}"],
  ]);
});

test("one delivery is replayed by its own id, and JSON has its times", async () => {
  await using sandbox = await serve();
  const context = contextOf(true);
  await replay(context, of(sandbox.origin, "del_3"));
  expect(context.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      ...OTHER,
      attempts: [{ ...attempt("accepted", 202), at: "2026-11-20T08:30:00.000Z" }],
      next_attempt_at: null,
    },
  ]);
  expect(context.notes).toEqual([`Sandbox  ${sandbox.origin}`]);
});

// The events of a recording.

const recorded = (id: string, type = "sim.teleported") => ({
  recorded_at: "2026-11-20T08:30:00Z",
  event: {
    id,
    type,
    created_at: "2026-11-20T08:29:00Z",
    livemode: true,
    data: { object: {} },
    idempotency_key: `idem_of_${id}`,
  },
});
function save(...lines: readonly (object | string)[]): string {
  const path = join(folder, "deliveries.ndjson");
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(path, `${text.join("\n")}\n`);
  return path;
}

test("JSON has the address without its query, and null for the outcome of another receiver", async () => {
  await using server = await fakeSandbox({ "POST /hooks": { status: 201, text: "" } });
  const context = contextOf(true);
  const to = `${server.url}?token=canary`;
  await replay(context, { arguments: [], options: { from: save(recorded("evt_1")), to } });
  expect(context.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      id: "evt_1",
      type: "sim.teleported",
      url: server.url,
      status: 201,
      outcome: null,
      accepted: true,
    },
  ]);
});
