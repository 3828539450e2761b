import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { systemClock } from "@fieldmesh/core";
import { createSandbox, toNodeListener } from "@fieldmesh/sandbox";
import { webhookCommands as shared } from "@fieldmesh/sandbox/internal";
import { signedRequest } from "@fieldmesh/webhook-types";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { canaries } from "../../../../tools/canaries/canaries.ts";
import type { Input } from "../../src/command.ts";
import { webhookCommands } from "../../src/webhooks/commands.ts";
import { testContext, type TestContext } from "../context.ts";
import { temporaryFolder } from "../../../../tools/testing/temporary-folder.ts";

/** Long enough for a busy machine. */
const PATIENCE = { timeout: 20_000 };

const SECRET = canaries.webhookSecret;
const env = { FIELDMESH_WEBHOOK_SECRET: SECRET };
const folder = temporaryFolder(afterAll);
const received: string[] = [];
const receiver = createServer((request, response) => {
  // A new receiver for each test, because its store skips the events of another test.
  toNodeListener(receive)(request, response);
});
let receive: ReturnType<typeof createReceiver>;
let url = "";
beforeAll(async () => {
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
});
beforeEach(() => {
  received.length = 0;
  const handlers = { "*": ({ type }: { type: string }) => void received.push(type) };
  receive = createReceiver({ secret: SECRET, store: memoryStore(), handlers });
});
afterAll(() => {
  receiver.close();
});

/** Runs a command by its name, as the program does. */
async function run(
  path: string,
  context: TestContext,
  options: Input["options"] = {},
  ...args: Input["arguments"]
): Promise<void> {
  const command = webhookCommands.find((each) => each.path === path);
  const loaded = await command!.load();
  await loaded.run(context, { arguments: args, options });
}

test("every command of the sandbox program exists here, without an option for a secret", () => {
  expect(webhookCommands.map(({ path }) => path)).toEqual([
    ...shared.map(({ name }) => `webhooks ${name}`),
    "sandbox",
  ]);
  for (const { path, options = [], examples } of webhookCommands) {
    expect(options.map(({ name }) => name)).not.toContain("secret");
    for (const { line } of examples) expect(line.startsWith(path)).toBe(true);
  }
});

test("send reads the secret from the environment, or asks for it", async () => {
  const context = testContext({ env, json: true });
  await run("webhooks send", context, { to: url }, "sim.activated");
  expect(JSON.parse(context.stdout.join("\n"))).toMatchObject({ status: 200, outcome: "handled" });
  const asking = testContext({ answers: [SECRET] });
  await run("webhooks send", asking, { to: url }, "plan.created");
  expect(asking.questions).toEqual(["Signing secret"]);
  expect(received).toEqual(["sim.activated", "plan.created"]);
});

test("an error that the user can correct has an exit code of this program", async () => {
  await expect(
    run("webhooks send", testContext({ env }), { to: url }, "sim.activatd"),
  ).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('Did you mean "sim.activated"?'),
  });
  await expect(
    run("webhooks send", testContext(), { to: url }, "sim.activated"),
  ).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining("FIELDMESH_WEBHOOK_SECRET"),
  });
  await expect(
    run("webhooks send", testContext({ env }), { to: "http://127.0.0.1:1" }, "sim.activated"),
  ).rejects.toMatchObject({ exitCode: 1 });
});

test("record stores deliveries without secrets, and replay signs them again", async () => {
  const out = join(folder, "recorded.ndjson");
  const ending = new AbortController();
  const context = testContext({ env, json: true, signal: ending.signal });
  const recording = run("webhooks record", context, { port: "0", out, forwardTo: url });
  await vi.waitFor(() => expect(context.stderr.join()).toContain("Ctrl-C"), PATIENCE);
  const recorder = context.stderr[0]!.replace(/^Recorder +/, "");
  const code = sampleEvent("cpni.verification.requested", {
    id: "evt_code",
    data: { object: { code: "739104" } },
  });
  const install = sampleEvent("sim.activated", {
    id: "evt_install",
    data: { object: { activation_code: "LPA:1$smdp.example$MATCHING" } },
  });
  for (const event of [code, install])
    await fetch(await signedRequest(event, { url: recorder, secret: SECRET }));
  ending.abort();
  await recording;

  // NDJSON, one for each delivery.
  expect(context.stdout.map((line) => JSON.parse(line))).toMatchObject([
    { status: 200, event: { id: "evt_code" } },
    { status: 200, event: { id: "evt_install" } },
  ]);
  const all = [readFileSync(out, "utf8"), ...context.stdout, ...context.stderr].join("\n");
  expect(all).not.toMatch(/739104|LPA:|MATCHING|whsec_/);
  expect(context.stderr.at(-1)).toContain("fieldmesh webhooks replay --from");

  await run("webhooks replay", testContext({ env }), { from: out, to: url, newIds: true });
  expect(received).toEqual([
    "cpni.verification.requested",
    "sim.activated",
    "cpni.verification.requested",
    "sim.activated",
  ]);
});

test("catch-up uses the client of the profile", async () => {
  const sandbox = createSandbox({ clock: systemClock });
  await sandbox.webhooks.trigger("plan.created");
  const context = testContext({ sandbox, env });
  await run("webhooks catch-up", context, { to: url, since: "2026-01-01" });
  expect(received).toEqual(["plan.created"]);
  expect(context.stdout).toEqual([expect.stringMatching(/^plan\.created {2}evt_\w+ {2}accepted$/)]);
});

test("sandbox starts a sandbox, which the other commands use until it ends", async () => {
  const ending = new AbortController();
  const context = testContext({ json: true, signal: ending.signal });
  const running = run("sandbox", context, { webhook: url, port: "0" });
  await vi.waitFor(() => expect(context.stdout).not.toEqual([]), PATIENCE);
  const { CONSOLE_URL = "" } = JSON.parse(context.stdout.join("\n")) as Record<string, string>;
  const { origin } = new URL(CONSOLE_URL);
  const options = { sandboxUrl: origin };
  await expect(
    // The sandbox created the secret of the endpoint, so the receiver does not have it.
    run("webhooks trigger", testContext(), options, "sim.activated"),
  ).rejects.toMatchObject({ exitCode: 1 });
  const events = testContext();
  await run("webhooks events", events, options);
  expect(events.stdout[0]).toContain("sim.activated");
  ending.abort();
  await running;
  await expect(run("webhooks events", testContext(), options)).rejects.toThrow("Nothing responds");
});
