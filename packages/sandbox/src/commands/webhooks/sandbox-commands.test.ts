import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "@fieldmesh/core";
import { rememberSandbox } from "../../server/last-sandbox.ts";
import { type RunningSandbox, startSandbox } from "../../server/start-sandbox.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { serveLocal, serveReceiver } from "../testing/fake-sandbox.ts";
import { run as events } from "./events.ts";
import { run as listen } from "./listen.ts";
import { run as replay } from "./replay.ts";
import { run as trigger } from "./trigger.ts";
import { run as undo } from "./undo.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";

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

test("trigger fails if no endpoint accepts the event", async () => {
  await expect(trigger(testContext({ env }), of("sim.activated"))).rejects.toThrow(
    "No webhook endpoint receives this type",
  );
  await using refusing = await serveLocal((_request, response) => response.writeHead(500).end());
  sandbox.webhooks.register({ url: refusing.url });
  await expect(trigger(testContext({ env }), of("sim.activated"))).rejects.toThrow(
    new CommandError("Not every endpoint accepted the event. The sandbox retries."),
  );
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

test("events says that there are no deliveries, and lists the types without a sandbox", async () => {
  const context = testContext({ env });
  await events(context, NOTHING);
  expect(context.lines).toEqual([]);
  expect(context.notes.at(-1)).toContain("no events yet");
  const types = testContext();
  await events(types, { arguments: [], options: { types: true } });
  expect(types.lines).toContain('{"type":"sim.activated"}');
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
  expect(context.lines[0]).toMatch(/^sim\.activated {2}del_\w+ {2}we_\w+ {2}delivered {2}200$/);
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

test("undo rejects the response of another program", async () => {
  await using server = await serveLocal((_request, response) => {
    response.end(JSON.stringify({ undone: true }));
  });
  const options = { sandboxUrl: new URL(server.url).origin };
  await expect(undo(testContext(), { arguments: [], options })).rejects.toThrow(
    "The program at this address is not a sandbox.",
  );
});
