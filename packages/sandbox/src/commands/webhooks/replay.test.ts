import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { NOT_A_SANDBOX, fakeSandbox, type Reply, serveReceiver } from "../testing/fake-sandbox.ts";
import { run as replay, fillRedacted } from "./replay.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";

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
    "sim.activated  del_1  we_1  delivered  200  2 attempts",
    "sim.activated  del_2  we_1  delivered  no_response  2 attempts",
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

test("a delivery without an attempt is not accepted, and its type has no control characters", async () => {
  const reply = { ...OTHER, type: "sim.\u001B[2J", attempts: [] };
  await using sandbox = await serve({ "POST /webhooks/deliveries/del_3/replay": reply });
  const context = contextOf();
  await expect(replay(context, of(sandbox.origin, "evt_2"))).rejects.toThrow(
    new CommandError("1 of 1 deliveries were not accepted."),
  );
  expect(context.lines).toEqual(["sim.[2J  del_3  we_1  delivered  not sent yet"]);
});

test.each<[string, Reply]>([
  ["null", "null"],
  ["a list", "[]"],
  ["no attempts", "{}"],
  ["attempts that are not a list", '{"attempts":{}}'],
  ["attempts that are not records", '{"attempts":[null]}'],
])("another program that responds with %s is not a sandbox", async (_what, reply) => {
  await using sandbox = await serve({ "POST /webhooks/deliveries/del_3/replay": reply });
  await expect(replay(contextOf(), of(sandbox.origin, "evt_2"))).rejects.toThrow(
    new UsageError(NOT_A_SANDBOX),
  );
});

test("an id is needed, and one that the sandbox does not have is named", async () => {
  await using sandbox = await serve();
  await expect(replay(contextOf(), of(sandbox.origin))).rejects.toThrow(
    new UsageError(
      "replay needs either the id of an event or a delivery, or --failed; `events` lists them.",
    ),
  );
  expect(sandbox.requests).toEqual([]);
  await expect(replay(contextOf(), of(sandbox.origin, "evt\u001B_9"))).rejects.toThrow(
    new UsageError("The sandbox has no delivery of this id; `events` lists them."),
  );
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

test("the events of a recording are posted in their order, with their ids", async () => {
  await using receiver = await serveReceiver(SECRET);
  const from = save(recorded("evt_1"), "half", recorded("evt_2"), "null");
  const context = contextOf();
  await replay(context, { arguments: [], options: { from, to: `${receiver.url}?token=canary` } });
  expect(context.lines).toEqual([
    "sim.teleported  evt_1  responded 200 handled",
    "sim.teleported  evt_2  responded 200 handled",
  ]);
  expect(context.notes).toEqual([
    `2 lines of ${from} are not deliveries and were left out.`,
    `Receiver  ${receiver.url}`,
  ]);
  expect(receiver.events).toMatchObject([
    { id: "evt_1", idempotency_key: "idem_of_evt_1" },
    { id: "evt_2", idempotency_key: "idem_of_evt_2" },
  ]);
});

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

test("a line has no blank after a status, and no control characters", async () => {
  await using server = await fakeSandbox({ "POST /hooks": { status: 500, text: "" } });
  const context = contextOf();
  const from = save(recorded("evt_1"), recorded("evt_\u001B[2J"));
  await expect(
    replay(context, { arguments: [], options: { from, to: server.url } }),
  ).rejects.toThrow(new CommandError("2 of 2 deliveries were not accepted."));
  expect(context.lines).toEqual([
    "sim.teleported  evt_1  responded 500",
    "sim.teleported  evt_[2J  responded 500",
  ]);
});

test("with --new-ids, the event is the same except for its ids, and its new id is printed", async () => {
  await using receiver = await serveReceiver(SECRET);
  const options = { from: save(recorded("evt_1")), to: receiver.url, newIds: true };
  const [context, asJson] = [contextOf(), contextOf(true)];
  await replay(context, { arguments: ["evt_1"], options });
  await replay(asJson, { arguments: ["evt_1"], options });
  expect(receiver.outcomes).toEqual(["handled", "handled"]);
  const [first, second] = receiver.events;
  for (const { id, idempotency_key, created_at } of [first!, second!]) {
    expect(id).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(idempotency_key).toMatch(/^idem_[0-9a-f]{32}$/);
    expect(created_at).toEqual(second!.created_at);
  }
  expect(context.lines).toEqual([`sim.teleported  ${first!.id}  responded 200 handled`]);
  expect(JSON.parse(asJson.lines[0]!)).toMatchObject({ id: second!.id });
});

test("only the event with the given id is posted, and a missing one is named", async () => {
  await using receiver = await serveReceiver(SECRET);
  const from = save(recorded("evt_1"), recorded("evt_2"));
  const options = { from, to: receiver.url };
  const context = contextOf();
  await replay(context, { arguments: ["evt_2"], options });
  expect(context.notes).toEqual([`Receiver  ${receiver.url}`]);
  expect(receiver.events).toMatchObject([{ id: "evt_2" }]);
  await expect(replay(context, { arguments: ["evt\u001B_9"], options })).rejects.toThrow(
    new UsageError(`${from} has no event of this id.`),
  );
  await expect(
    replay(context, { arguments: [], options: { ...options, from: save("{}") } }),
  ).rejects.toThrow(new UsageError(`${from} has no delivery.`));
  expect(context.notes.at(-1)).toBe(`1 lines of ${from} are not deliveries and were left out.`);
  expect(receiver.events).toHaveLength(1);
});

test("a recording needs a receiver on this machine, before a file or a secret is read", async () => {
  const options = { from: join(folder, "missing.ndjson") };
  await expect(replay(testContext(), { arguments: [], options })).rejects.toThrow(
    new UsageError("--to needs an address such as http://127.0.0.1:3000/hooks."),
  );
  await expect(
    replay(testContext(), { arguments: [], options: { ...options, to: "https://example.com" } }),
  ).rejects.toThrow(
    new UsageError("--to needs an address of this machine: 127.0.0.1 or localhost."),
  );
});

const REDACTED = "[redacted]";
const event = (type: string, object: unknown) => ({
  id: "evt_1",
  type,
  created_at: "2026-11-20T08:30:00Z",
  data: { object },
});

test("redacted values are replaced by those of the sample, and all others are kept", () => {
  const kept = { id: "sim_7", state: null, subscription_id: 3, metadata: { note: false } };
  expect(fillRedacted(event("sim.activated", { ...kept, msisdn: REDACTED }))).toEqual(
    event("sim.activated", { ...kept, msisdn: "+12025550143" }),
  );
});

test("each redacted item of a list is replaced by the first one of the sample", () => {
  expect(
    fillRedacted(event("fraud.evaluated", { reasons: [REDACTED, "other", REDACTED] })),
  ).toEqual(
    event("fraud.evaluated", {
      reasons: ["email_recently_created", "other", "email_recently_created"],
    }),
  );
});

test("a code is replaced by the code of the sample, in clear", () => {
  const { object } = sampleEvent("cpni.verification.requested").data;
  expect(fillRedacted(event("cpni.verification.requested", { code: REDACTED }))).toEqual(
    event("cpni.verification.requested", { code: object.code?.reveal() }),
  );
});

test.each([
  ["a field that the sample does not have", { unheard_of: REDACTED }],
  ["a list where the sample has none", { id: [REDACTED, { a: REDACTED }] }],
  ["an object where the sample has none", { id: { inner: REDACTED } }],
  ["a field of an object that the sample does not have", { other: { inner: [REDACTED] } }],
])("%s remains redacted", (_what, object) => {
  expect(fillRedacted(event("sim.activated", object))).toEqual(event("sim.activated", object));
});
