import { expect, test } from "vitest";
import { createSandbox } from "../sandbox/sandbox.ts";
import { openConsole } from "../testing/console.ts";
import type { SandboxActivity } from "./feed.ts";

/** Creates a sandbox, and records what it reports. */
function watched(options?: Parameters<typeof openConsole>[0]) {
  const opened = openConsole(options);
  const seen: SandboxActivity[] = [];
  const stop = opened.sandbox.watch((activity) => seen.push(activity));
  return { ...opened, seen, stop };
}

test("a request is reported when it arrives and when it ends, with its number and duration", async () => {
  const { sandbox, client } = openConsole();
  const seen: unknown[] = [];
  sandbox.watch((activity) => {
    if ("request" in activity) {
      const { number, row, status, duration } = activity.request;
      seen.push([activity.kind, number, row, status, typeof duration]);
    }
  });
  await client.labels.list();
  sandbox.reset();
  await client.labels.create({ name: "Pumps" });
  expect(seen).toEqual([
    ["request", 1, "labels.list", undefined, "undefined"],
    ["response", 1, "labels.list", 200, "number"],
    ["request", 2, "labels.create", undefined, "undefined"],
    ["response", 2, "labels.create", 201, "number"],
  ]);
});

test("a change of a webhook endpoint is reported by its kind", () => {
  const { sandbox, seen } = watched();
  const { id } = sandbox.webhooks.register({ url: "http://127.0.0.1:3000/hooks" });
  sandbox.webhooks.rotate(id);
  sandbox.webhooks.unregister(id);
  expect(seen).toEqual([{ kind: "endpoints" }, { kind: "endpoints" }, { kind: "endpoints" }]);
});

test("an event, its delivery, each failed attempt and the last attempt are reported", async () => {
  const sandbox = createSandbox();
  const seen: unknown[] = [];
  sandbox.watch((activity) => {
    if (activity.kind === "event") seen.push(activity.event.type);
    else if (activity.kind === "delivery") {
      const { status, attempts, nextAttemptAt } = activity.delivery;
      const wait = nextAttemptAt === undefined ? undefined : nextAttemptAt - sandbox.clock.now();
      seen.push([status, attempts.map((attempt) => attempt.status), wait]);
    } else seen.push(activity.kind);
  });
  let status = 500;
  sandbox.webhooks.register({
    url: "http://127.0.0.1:3000/hooks",
    fetch: async () => new Response(null, { status }),
  });
  await sandbox.webhooks.trigger("sim.activated");
  status = 200;
  await sandbox.webhooks.advance(30_000);
  expect(seen).toEqual([
    "endpoints",
    "sim.activated",
    ["pending", [], 0],
    ["pending", [500], 30_000],
    ["delivered", [500, 200], undefined],
  ]);
});

test("no report contains a code", async () => {
  const { sandbox, seen } = watched();
  await sandbox.webhooks.trigger("cpni.verification.requested", {
    data: { object: { code: "739104" } },
  });
  expect(JSON.stringify(seen)).not.toContain("739104");
});

test("a change of settings and a reset are reported", () => {
  const { sandbox, seen } = watched();
  sandbox.setFaults([{ kind: "reset" }]);
  sandbox.webhooks.disturb({ duplicates: 1 });
  sandbox.reset();
  expect(seen.map(({ kind }) => kind)).toEqual(["faults", "disturbance", "reset"]);
});

test("a listener that throws does not affect the others, and a removed one receives no reports", async () => {
  const { sandbox, client, seen, stop } = watched();
  sandbox.watch(() => {
    throw new Error("a listener");
  });
  await client.labels.list();
  expect(seen).toHaveLength(2);
  stop();
  await client.labels.list();
  expect(seen).toHaveLength(2);
});
