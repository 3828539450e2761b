import { createMobileClient } from "@fieldmesh/mobile-client";
import { beforeEach, expect, test } from "vitest";
import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { createSandbox, type Sandbox } from "../../engine/sandbox/sandbox.ts";
import { CommandError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { serveLocal, serveReceiver } from "../testing/fake-sandbox.ts";
import { run } from "./catch-up.ts";

const SECRET = canaries.webhookSecret;
let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
});

function contextOf(isJson = false) {
  const { baseUrl, apiKey } = sandbox.mobile;
  const client = createMobileClient({ baseUrl, apiKey, fetch: sandbox.mobile.fetch });
  return testContext({ env: { FIELDMESH_WEBHOOK_SECRET: SECRET }, client, isJson });
}
const input = (to: string, since = "2026-11-20") => ({ arguments: [], options: { to, since } });

test("sends the events that were stored since the given time unchanged, and a receiver handles each once", async () => {
  await sandbox.webhooks.trigger("plan.created", { created_at: "2026-11-19T23:00:00Z" });
  for (const type of ["plan.created", "sim.activated", "cpni.verification.requested"] as const)
    await sandbox.webhooks.trigger(type);
  const large = { data: { object: { count: 2n ** 70n } } };
  await sandbox.webhooks.trigger("sim.teleported", large, { unknown: true });
  await using receiver = await serveReceiver(SECRET);
  const context = contextOf();
  await run(context, input(receiver.url));
  const [, ...stored] = sandbox.webhooks.events();
  expect(receiver.events.map(({ id, data }) => ({ id, data }))).toEqual(
    stored.map(({ id, data }) => ({ id, data })),
  );
  expect(context.lines[0]).toMatch(/^plan\.created {2}evt_\w+ {2}accepted$/);
  expect(context.notes).toEqual([`Receiver  ${receiver.url}`, "4 accepted, 0 left open."]);

  await run(contextOf(), input(receiver.url));
  expect(receiver.outcomes.slice(4)).toEqual(Array<string>(4).fill("duplicate"));
});

test("an event that is not accepted remains open, and the others are sent", async () => {
  for (let n = 0; n < 3; n += 1) await sandbox.webhooks.trigger("plan.created");
  let calls = 0;
  await using receiver = await serveLocal((_request, response) => {
    calls += 1;
    response.writeHead(calls === 2 ? 500 : 200).end();
  });
  const context = contextOf(true);
  await expect(run(context, input(receiver.url))).rejects.toThrow(
    "1 events were not accepted. Run the same command again",
  );
  expect(context.lines.map((line) => (JSON.parse(line) as { outcome: string }).outcome)).toEqual([
    "accepted",
    "failed",
    "accepted",
  ]);
});

test("stops at the first event if the receiver does not respond", async () => {
  for (let n = 0; n < 3; n += 1) await sandbox.webhooks.trigger("plan.created");
  const context = contextOf();
  await expect(run(context, input("http://127.0.0.1:1/hooks"))).rejects.toThrow(
    new CommandError("Nothing responds at http://127.0.0.1:1. Is the receiver running?"),
  );
  expect(context.lines).toHaveLength(1);
});

test("Ctrl-C ends catch-up after the event in progress, and the message says how to resume", async () => {
  for (let n = 0; n < 3; n += 1) await sandbox.webhooks.trigger("plan.created");
  const context = contextOf();
  await using receiver = await serveLocal((_request, response) => {
    context.interrupt();
    response.end();
  });
  await run(context, input(receiver.url));
  expect(context.lines.length).toBeLessThan(2);
  expect(context.notes.at(-1)).toContain("Run the same command again");
});

test("stops if its output is no longer read", async () => {
  for (let n = 0; n < 20; n += 1) await sandbox.webhooks.trigger("plan.created");
  await using receiver = await serveReceiver(SECRET);
  const context = contextOf();
  const closed = new Error("closed pipe");
  const output = { ...context.output, line: () => Promise.reject(closed) };
  await expect(run({ ...context, output }, input(receiver.url))).rejects.toBe(closed);
  expect(receiver.events.length).toBeLessThan(20);
});

test("a rejected key ends catch-up with the message of the service, without the key", async () => {
  const { baseUrl } = sandbox.mobile;
  const apiKey = canaries.mobileKey;
  const client = createMobileClient({ baseUrl, apiKey, fetch: sandbox.mobile.fetch });
  const context = testContext({ env: { FIELDMESH_WEBHOOK_SECRET: SECRET }, client });
  const running = run(context, input("http://127.0.0.1:1/hooks"));
  await expect(running).rejects.toThrow("401");
  await expect(running).rejects.toBeInstanceOf(CommandError);
  await expect(running).rejects.toMatchObject({ cause: { name: "ApiError" } });
});
