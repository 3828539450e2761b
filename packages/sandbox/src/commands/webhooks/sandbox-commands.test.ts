import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "@fieldmesh/core";
import { rememberSandbox } from "../../server/last-sandbox.ts";
import { type RunningSandbox, startSandbox } from "../../server/start-sandbox.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { serveLocal, serveReceiver, fakeSandbox, type Reply } from "../testing/fake-sandbox.ts";
import { run as events } from "./events.ts";
import { run as listen } from "./listen.ts";
import { run as replay } from "./replay.ts";
import { run as trigger } from "./trigger.ts";
import { run as undo } from "./undo.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";
import { currentEventTypes } from "@fieldmesh/webhook-types";
import type { RunCommand } from "../command.ts";

/** Long enough for a busy machine. */
const PATIENCE = { timeout: 20_000 };

// Trigger, events, replay and listen, with a running sandbox.

const SECRET = "whsec_of_the_commands";
const NOTHING = { arguments: [], options: {} };
let sandbox: RunningSandbox<typeof systemClock>;
let env: Record<string, string>;
beforeEach(async () => {
  sandbox = await startSandbox({ clock: systemClock });
  env = { FIELDMESH_SANDBOX: sandbox.page };
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await sandbox.close();
});

const of = (type: string, options: Record<string, string | boolean> = {}) => ({
  arguments: [type],
  options,
});

const ISO = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

test("trigger emits an event with the given data, and prints which sandbox it used", async () => {
  await using receiver = await serveReceiver(SECRET);
  sandbox.webhooks.register({ url: receiver.url, secret: SECRET });
  const context = testContext({ env });
  await trigger(context, of("sim.activated", { data: '{"object":{"id":"sim_7"}}' }));
  expect(receiver.events).toMatchObject([{ data: { object: { id: "sim_7" } } }]);
  expect(context.lines).toEqual([
    expect.stringMatching(/^sim\.activated {2}evt_\w+$/),
    expect.stringMatching(/^ {2}del_\w+ {2}we_\w+ {2}delivered {2}200$/),
  ]);
  expect(context.notes).toEqual([`Sandbox  ${sandbox.origin}`]);
});

test("a token of an earlier start is replaced by that of the sandbox at the address now", async () => {
  const folder = temporaryFolder(onTestFinished);
  vi.stubEnv("XDG_RUNTIME_DIR", folder);
  const stale = { FIELDMESH_SANDBOX: `${sandbox.origin}/#token=of-an-earlier-start` };
  await expect(undo(testContext({ env: stale }), NOTHING)).rejects.toThrow(
    `requires the token of the sandbox. Use the whole address that it printed: FIELDMESH_SANDBOX='${sandbox.origin}/#token=…'.`,
  );
  rememberSandbox(sandbox.page);
  await expect(undo(testContext({ env: stale }), NOTHING)).rejects.toThrow("nothing to undo");
});

test("a command uses the sandbox of the environment only, also if it does not respond", async () => {
  const folder = temporaryFolder(onTestFinished);
  vi.stubEnv("XDG_RUNTIME_DIR", folder);
  rememberSandbox(sandbox.page);
  const gone = { FIELDMESH_SANDBOX: "http://127.0.0.1:1/#token=x" };
  await expect(trigger(testContext({ env: gone }), of("sim.activated"))).rejects.toThrow(
    "Nothing responds at http://127.0.0.1:1, which FIELDMESH_SANDBOX names. Start that sandbox, or unset FIELDMESH_SANDBOX.",
  );
  expect(sandbox.webhooks.events()).toEqual([]);
});

test("trigger rejects a misspelled type without a request to the sandbox, unless the user insists", async () => {
  await using receiver = await serveReceiver(SECRET);
  sandbox.webhooks.register({ url: receiver.url, secret: SECRET });
  const context = testContext({ env });
  await expect(trigger(context, of("sim.activatd"))).rejects.toThrow(
    'Did you mean "sim.activated"?',
  );
  expect(sandbox.webhooks.events()).toEqual([]);
  await trigger(context, of("sim.activatd", { unknown: true }));
  expect(receiver.events).toMatchObject([{ type: "sim.activatd" }]);
});

test("events lists the deliveries, as lines and as JSON, without codes", async () => {
  await using receiver = await serveReceiver(SECRET);
  sandbox.webhooks.register({
    url: receiver.url,
    secret: SECRET,
    enabled_events: ["cpni.*", "sim.activated"],
  });
  await sandbox.webhooks.trigger("cpni.verification.requested", {
    data: { object: { code: "739104" } },
  });
  await sandbox.webhooks.trigger("sim.activated", {
    data: { object: { activation_code: "LPA:1$canary$739104" } },
  });
  const context = testContext({ env });
  await events(context, NOTHING);
  expect(context.lines).toEqual([
    expect.stringMatching(/^\S+Z {2}cpni\.verification\.requested {2}evt_\w+$/),
    expect.stringMatching(/^ {2}del_\w+ {2}we_\w+ {2}delivered {2}200$/),
    expect.stringMatching(/ {2}sim\.activated {2}evt_\w+$/),
    expect.stringContaining("delivered  200"),
  ]);
  const asJson = testContext({ env, isJson: true });
  await events(asJson, NOTHING);
  expect(asJson.lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      type: "cpni.verification.requested",
      deliveries: [
        {
          status: "delivered",
          attempts: [{ status: 200, at: expect.stringMatching(ISO) }],
          next_attempt_at: null,
        },
      ],
    },
    { type: "sim.activated", data: { object: { state: "active" } } },
  ]);
  expect([...context.lines, ...asJson.lines].join("\n")).not.toMatch(/739104|LPA/);
});

test("replay delivers an event or a delivery again, and fails if it is not accepted", async () => {
  await using receiver = await serveReceiver(SECRET);
  const { id: endpoint } = sandbox.webhooks.register({ url: receiver.url, secret: SECRET });
  const { id } = await sandbox.webhooks.trigger("sim.activated");
  const [delivery] = sandbox.webhooks.deliveries();
  const context = testContext({ env });
  await replay(context, of(id));
  await replay(context, of(delivery!.id));
  expect(receiver.outcomes).toEqual(["handled", "duplicate", "duplicate"]);
  expect(context.lines[0]).toMatch(
    /^sim\.activated {2}del_\w+ {2}we_\w+ {2}delivered {2}200 {2}2 attempts$/,
  );
  await expect(replay(context, of("evt_missing"))).rejects.toThrow("no delivery of this id");
  await expect(replay(context, NOTHING)).rejects.toBeInstanceOf(UsageError);
  sandbox.webhooks.rotate(endpoint, { keepOld: false });
  await expect(replay(context, of(id))).rejects.toThrow("1 of 1 deliveries were not accepted.");
});

/** Starts to listen. Returns a promise that resolves when it has ended. */
async function startListening(
  context: ReturnType<typeof testContext>,
  options: Record<string, string | readonly string[]> = {},
) {
  const ended = listen(context, { arguments: [], options });
  await vi.waitFor(() => expect(context.notes).toContain("Press Ctrl-C to stop it."), PATIENCE);
  return { ended };
}

test("listen forwards deliveries byte for byte, shows the responses, and removes its endpoint", async () => {
  await using receiver = await serveReceiver(SECRET);
  const context = testContext({ env: { ...env, FIELDMESH_WEBHOOK_SECRET: SECRET } });
  const options = { forwardTo: receiver.url, events: ["sim.*"] };
  const { ended } = await startListening(context, options);
  await sandbox.webhooks.trigger("sim.activated");
  await sandbox.webhooks.trigger("plan.created");
  expect(receiver.events).toMatchObject([{ type: "sim.activated" }]);
  expect(receiver.outcomes).toEqual(["handled"]);
  expect(context.lines).toEqual([
    expect.stringMatching(/^\S+Z {2}sim\.activated {2}evt_\w+ {2}responded 200 {2}\d+ ms$/),
  ]);
  expect(context.notes).toEqual([
    `Sandbox  ${sandbox.origin}`,
    expect.stringMatching(/^Listener {2}http:\/\/127\.0\.0\.1:\d+$/),
    `Receiver  ${receiver.url}`,
    "Secret    yours",
    "Press Ctrl-C to stop it.",
  ]);
  context.interrupt();
  await ended;
  expect(sandbox.webhooks.endpoints).toEqual([]);
});

test("listen responds with 502 if the receiver does not respond, so that the sandbox retries", async () => {
  const context = testContext({ env, isJson: true });
  const { ended } = await startListening(context, { forwardTo: "http://127.0.0.1:1/hooks" });
  await sandbox.webhooks.trigger("cpni.verification.requested", {
    data: { object: { code: "739104" } },
  });
  expect(sandbox.webhooks.deliveries()).toMatchObject([
    { status: "pending", attempts: [{ status: 502 }] },
  ]);
  expect(context.lines.map((line) => JSON.parse(line))).toMatchObject([
    { status: 502, event: { type: "cpni.verification.requested" } },
  ]);
  expect(context.lines.join()).not.toContain("739104");
  context.interrupt();
  await ended;
});

test("listen shows a secret that it created only with --reveal", async () => {
  for (const reveal of [false, true]) {
    const context = testContext({ env, reveal });
    const { ended } = await startListening(context);
    const [{ secrets } = { secrets: [] }] = sandbox.webhooks.endpoints;
    expect(context.notes.join("\n").includes(secrets[0]!.reveal())).toBe(reveal);
    context.interrupt();
    await ended;
  }
});

test("listen rejects requests that the sandbox did not sign, and ends with the sandbox", async () => {
  const context = testContext({ env });
  const { ended } = await startListening(context);
  ended.catch(() => {});
  const [endpoint] = sandbox.webhooks.endpoints;
  expect((await fetch(endpoint!.url)).status).toBe(405);
  const unsigned = await fetch(endpoint!.url, { method: "POST", body: "{}" });
  expect(unsigned.status).toBe(401);
  const large = await fetch(endpoint!.url, { method: "POST", body: "x".repeat(2 ** 20 + 1) });
  expect(large.status).toBe(413);
  expect(context.lines).toEqual([
    expect.stringContaining("not verified: header_missing  responded 401"),
    expect.stringContaining("larger than 1 MiB  responded 413"),
  ]);
  sandbox.webhooks.unregister(endpoint!.id);
  await expect(ended).rejects.toThrow("was restarted. Run listen again.");
});

test.each([
  ["a redirect", 302, ""],
  ["a page", 200, "Welcome"],
  ["null", 200, "null"],
  ["a terminal's escape codes", 500, "\u001B[2J\u001B]0;owned\u0007no"],
])("no command trusts another program that responds with %s", async (_what, status, body) => {
  await using server = await serveLocal((_request, response) => {
    response.writeHead(status, { location: "/elsewhere" }).end(body);
  });
  const options = { sandboxUrl: new URL(server.url).origin };
  for (const [command, word] of [
    [trigger, "sim.activated"],
    [events, undefined],
    [replay, "evt_1"],
    [listen, undefined],
    [undo, undefined],
  ] as const) {
    const context = testContext();
    const running = command(context, { arguments: [word], options });
    await expect(running).rejects.toBeInstanceOf(UsageError);
    // oxlint-disable-next-line no-control-regex -- characters that control a terminal
    await expect(running).rejects.not.toThrow(/\u001B|\u0007|Welcome/);
    expect(context.lines).toEqual([]);
  }
});

test("a list is printed without control characters", async () => {
  const attempts = [{ outcome: "x\u001B[2J" }];
  const delivery = { endpoint_id: "we_1\n\u001B[31m", status: "failed", attempts };
  const body = {
    event: { id: "evt_1\u0007", type: "sim.activated" },
    deliveries: [{ id: "del_1", ...delivery }],
  };
  await using server = await serveLocal((_request, response) => {
    response.end(JSON.stringify(body));
  });
  const context = testContext();
  const options = { sandboxUrl: new URL(server.url).origin };
  await expect(trigger(context, of("sim.activated", options))).rejects.toThrow(CommandError);
  expect(context.lines).toHaveLength(2);
  expect(context.lines.join("")).not.toMatch(/\p{C}/u);
});

test("undo restores what a rewind has removed, once", async () => {
  await fetch(`${sandbox.ledger.baseUrl}/v1/blocks/height`);
  const token = new URL(sandbox.page).hash.replace("#token=", "");
  await fetch(`${sandbox.origin}/sandbox/rewind`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ before: 1 }),
  });
  expect(sandbox.log.count).toBe(0);
  const context = testContext({ env });
  await undo(context, NOTHING);
  expect(context.lines).toEqual([
    expect.stringMatching(
      /^undone: everything is as it was before going back, at \d{4}-\d\d-\d\dT[\d:.]+Z$/,
    ),
  ]);
  expect(sandbox.log.count).toBe(1);
  await expect(undo(context, NOTHING)).rejects.toThrow("There is nothing to undo");
});

// What trigger, events and undo send to a sandbox, and what they print of each response.

const AT = Date.parse("2026-11-20T08:30:00Z");
const AT_ISO = "2026-11-20T08:30:00.000Z";
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
  attempts: attempts.map((attempt) => ({ ...attempt, at: AT_ISO })),
  next_attempt_at: null,
});

/** Runs a command with a sandbox that has these responses. */
async function ask(
  run: RunCommand,
  replies: Record<string, Reply>,
  given: { isJson?: boolean; word?: string; options?: Record<string, string | boolean> } = {},
) {
  await using fake = await fakeSandbox(replies);
  const { isJson = false, word, options } = given;
  const { lines, notes, ...context } = testContext({ isJson });
  const error: unknown = await run(context, {
    arguments: [word],
    options: { sandboxUrl: fake.origin, ...options },
  }).catch((thrown: unknown) => thrown);
  const requests = fake.requests.map(({ line, body }) => `${line} ${body}`.trimEnd());
  return { error, lines, notes, requests, origin: fake.origin };
}

const triggered = (...deliveries: readonly object[]) => ({
  "POST /webhooks/trigger": { event: event("evt_1"), deliveries },
});
const FAILED = new CommandError("Not every endpoint accepted the event. The sandbox retries.");

test("trigger prints one object as JSON, with the address of the sandbox and no line", async () => {
  const own = delivery("del_1", "evt_1");
  const { error, lines, notes, requests, origin } = await ask(trigger, triggered(own), {
    isJson: true,
    word: "sim.activated",
  });
  expect(error).toBeUndefined();
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { id: "evt_1", type: "sim.activated", sandbox: origin, deliveries: [shown(own)] },
  ]);
  expect(notes).toEqual([`Sandbox  ${origin}`]);
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
  const { error, lines, notes, requests, origin } = await ask(events, LISTED);
  expect(error).toBeUndefined();
  expect(lines).toEqual([
    "2026-11-20T08:29:00Z  sim.teleported  evt_1",
    "  del_2  we_1  delivered  200",
    "  del_3  we_1  delivered  200",
    "2026-11-20T08:29:00Z  sim.[2J  evt_2",
    "  del_1  we_1  delivered  200",
  ]);
  expect(notes).toEqual([`Sandbox  ${origin}`]);
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

test.each([
  ["failed", ["evt_2"], "failed in outcome"],
  ["5xx", ["evt_2"], "5xx in response"],
  ["del_1", ["evt_1"], "del_1 in delivery"],
  ["sim_7", ["evt_1"], "sim_7 in object"],
  ["sub_3", ["evt_1", "evt_2"], "sub_3 in subscriber_id"],
  ["sim.synced", ["evt_3"], "sim.synced in type"],
  ["type:synced suspended", ["evt_3"], "type:synced in type; suspended in the body"],
  ["zzz", [], "zzz nowhere"],
])("events %j lists those that fit, and says what has matched", async (word, ids, said) => {
  const stored = (id: string, type: string, object: object) => ({
    ...event(id, type),
    data: { object },
  });
  const rejected = { at: 0, status: 500, outcome: "rejected", duration: 1 };
  const listed = {
    "GET /webhooks/events": [
      stored("evt_1", "sim.activated", { id: "sim_7", subscriber_id: "sub_3" }),
      stored("evt_2", "sim.activated", { id: "sim_70", subscriber_id: "sub_3" }),
      stored("evt_3", "sim.synced", { id: "sim_8", state: "suspended" }),
    ],
    "GET /webhooks/deliveries": [
      delivery("del_1", "evt_1"),
      { ...delivery("del_2", "evt_2", "dead"), attempts: [rejected] },
    ],
  };
  const { error, lines, notes } = await ask(events, listed, { isJson: true, word });
  expect(error).toBeUndefined();
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(ids);
  expect(notes.at(-1)).toBe(`Filter   ${ids.length} of 3 events: ${said}`);
});

test("events --types lists the types that fit a filter", async () => {
  const options = { types: true };
  const { lines, notes } = await ask(events, {}, { word: "sim. suspend", options });
  expect(lines).toEqual(['{"type":"sim.suspended"}']);
  expect(notes).toEqual([
    expect.stringMatching(/^Filter   1 of \d+ types: sim\. in type; suspend in type$/),
  ]);
});

test("replay --failed delivers again what has failed, and nothing else", async () => {
  const failed = { ...delivery("del_2", "evt_2", "dead") };
  const listed = {
    "GET /webhooks/deliveries": [delivery("del_1", "evt_1"), failed],
    "POST /webhooks/deliveries/del_2/replay": { ...failed, status: "delivered" },
  };
  const options = { failed: true };
  const { error, requests } = await ask(replay, listed, { options });
  expect(error).toBeUndefined();
  expect(requests.map((line) => line.split(" ")[1])).toEqual([
    "/webhooks/deliveries",
    "/webhooks/deliveries/del_2/replay",
  ]);
  const none = await ask(replay, { "GET /webhooks/deliveries": [] }, { options });
  expect([none.error, none.notes.at(-1)]).toEqual([undefined, "No delivery has failed."]);
  const both = await ask(replay, listed, { options, word: "evt_1" });
  expect(both.error).toBeInstanceOf(UsageError);
});

test("events says that there are no events yet", async () => {
  const none = { "GET /webhooks/events": [], "GET /webhooks/deliveries": [] };
  const { lines, notes } = await ask(events, none);
  expect(lines).toEqual([]);
  expect(notes.at(-1)).toContain("no events yet");
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
  const replies = { "POST /sandbox/undo": { iso: AT_ISO } };
  const { lines, requests } = await ask(undo, replies);
  expect(lines).toEqual([`undone: everything is as it was before going back, at ${AT_ISO}`]);
  expect(requests).toEqual(["POST /sandbox/undo {}"]);
  expect((await ask(undo, replies, { isJson: true })).lines).toEqual([
    JSON.stringify({ undone: true, time: AT_ISO }),
  ]);
});
