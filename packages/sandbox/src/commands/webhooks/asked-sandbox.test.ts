import { expect, test } from "vitest";
import { currentEventTypes } from "@fieldmesh/webhook-types";
import { CommandError, UsageError } from "../command-error.ts";
import type { RunCommand } from "../command.ts";
import { testContext } from "../testing/context.ts";
import { fakeSandbox, type Reply } from "../testing/fake-sandbox.ts";
import { run as events } from "./events.ts";
import { run as trigger } from "./trigger.ts";
import { run as undo } from "./undo.ts";

// What trigger, events and undo send to a sandbox, and what they print of each response.

const AT = Date.parse("2026-11-20T08:30:00Z");
const ISO = "2026-11-20T08:30:00.000Z";
const event = (id: string, type = "sim.teleported") => ({
  id,
  type,
  created_at: "2026-11-20T08:29:00Z",
  livemode: false,
  data: { object: {} },
  idempotency_key: `idem_of_${id}`,
});
const delivery = (id: string, event_id: string, status = "delivered") => ({
  id,
  event_id,
  type: "sim.teleported",
  endpoint_id: "we_1",
  status,
  attempts: [{ at: AT, status: 200, outcome: "accepted", duration: 1 }],
});
/** The same delivery as JSON is printed. */
const shown = ({ attempts, ...rest }: ReturnType<typeof delivery>) => ({
  ...rest,
  attempts: attempts.map((attempt) => ({ ...attempt, at: ISO })),
  next_attempt_at: null,
});

/** Runs a command with a sandbox that has these responses. */
async function ask(
  run: RunCommand,
  replies: Record<string, Reply>,
  given: { isJson?: boolean; word?: string; options?: Record<string, string | boolean> } = {},
) {
  await using sandbox = await fakeSandbox(replies);
  const { isJson = false, word, options } = given;
  const { lines, notes, ...context } = testContext({ isJson });
  const error: unknown = await run(context, {
    arguments: [word],
    options: { sandboxUrl: sandbox.origin, ...options },
  }).catch((thrown: unknown) => thrown);
  const requests = sandbox.requests.map(({ line, body }) => `${line} ${body}`.trimEnd());
  return { error, lines, notes, requests, sandbox: sandbox.origin };
}

const triggered = (...deliveries: readonly object[]) => ({
  "POST /webhooks/trigger": { event: event("evt_1"), deliveries },
});
const FAILED = new CommandError("Not every endpoint accepted the event. The sandbox retries.");

test("trigger prints one object as JSON, with the address of the sandbox and no line", async () => {
  const own = delivery("del_1", "evt_1");
  const { error, lines, notes, requests, sandbox } = await ask(trigger, triggered(own), {
    isJson: true,
    word: "sim.activated",
  });
  expect(error).toBeUndefined();
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { id: "evt_1", type: "sim.activated", sandbox, deliveries: [shown(own)] },
  ]);
  expect(notes).toEqual([`Sandbox  ${sandbox}`]);
  expect(requests).toEqual(['POST /webhooks/trigger {"type":"sim.activated"}']);
});

test.each([
  ["one endpoint that did not accept", ["delivered", "pending"], FAILED],
  ["one delivery that is dead", ["dead", "delivered"], FAILED],
  [
    "no endpoint",
    [],
    new CommandError("No webhook endpoint receives this type. Register one, or use `listen`."),
  ],
])("trigger fails with %s, after it has printed the event", async (_what, states, expected) => {
  const deliveries = states.map((status) => delivery("del_1", "evt_1", status));
  const given = { word: "sim.activated" };
  const { error, lines } = await ask(trigger, triggered(...deliveries), given);
  expect(error).toEqual(expected);
  expect(error).not.toBeInstanceOf(UsageError);
  expect(lines).toHaveLength(1 + states.length);
});

const LISTED = {
  "GET /webhooks/events": [event("evt_1"), event("evt_2", "sim.\u001B[2J")],
  "GET /webhooks/deliveries": [
    delivery("del_1", "evt_2"),
    delivery("del_2", "evt_1"),
    delivery("del_3", "evt_1"),
  ],
};

test("events prints each event with its own deliveries below it", async () => {
  const { error, lines, notes, requests, sandbox } = await ask(events, LISTED);
  expect(error).toBeUndefined();
  expect(lines).toEqual([
    "2026-11-20T08:29:00Z  sim.teleported  evt_1",
    "  del_2  we_1  delivered  200",
    "  del_3  we_1  delivered  200",
    "2026-11-20T08:29:00Z  sim.[2J  evt_2",
    "  del_1  we_1  delivered  200",
  ]);
  expect(notes).toEqual([`Sandbox  ${sandbox}`]);
  expect(requests).toEqual(["GET /webhooks/events", "GET /webhooks/deliveries"]);
});

test("events prints an object for each event as JSON, with its own deliveries", async () => {
  const { lines } = await ask(events, LISTED, { isJson: true });
  const [first, second] = lines.map((line) => JSON.parse(line) as unknown);
  expect(first).toEqual({
    ...event("evt_1"),
    data: "[redacted]",
    deliveries: [shown(delivery("del_2", "evt_1")), shown(delivery("del_3", "evt_1"))],
  });
  expect(second).toMatchObject({ id: "evt_2", deliveries: [{ id: "del_1" }] });
  expect(lines).toHaveLength(2);
});

test("events --types lists the types of the catalog in a column, and asks no sandbox", async () => {
  const context = testContext();
  const columns: unknown[] = [];
  const output = {
    ...context.output,
    records: async (
      values: AsyncIterable<unknown> | Iterable<unknown>,
      names?: readonly string[],
    ) => {
      columns.push(names);
      await context.output.records(values);
    },
  };
  await events({ ...context, output }, { arguments: [], options: { types: true } });
  expect(context.lines).toEqual(currentEventTypes.map((type) => JSON.stringify({ type })));
  expect(columns).toEqual([["type"]]);
  expect(context.notes).toEqual([]);
});

test("undo prints to which time the sandbox has returned, as a line or as JSON", async () => {
  const replies = { "POST /sandbox/undo": { iso: ISO } };
  const { lines, requests } = await ask(undo, replies);
  expect(lines).toEqual([`undone: everything is as it was before going back, at ${ISO}`]);
  expect(requests).toEqual(["POST /sandbox/undo {}"]);
  expect((await ask(undo, replies, { isJson: true })).lines).toEqual([
    JSON.stringify({ undone: true, time: ISO }),
  ]);
});
