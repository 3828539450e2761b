import { catchUp, type CatchUpCheckpoint, createMobileClient } from "@fieldmesh/mobile-client";
import { sourceOf } from "@fieldmesh/webhook-types";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { describe, expect, test } from "vitest";
import { createSandbox, type MobileOptions } from "../../sandbox/src/index.ts";

function open(mobile: MobileOptions = {}) {
  const sandbox = createSandbox({ mobile });
  const { baseUrl, fetch, apiKey } = sandbox.mobile;
  const client = createMobileClient({ baseUrl, fetch, apiKey, mode: "sandbox", retry: false });
  return { sandbox, client, webhooks: sandbox.webhooks };
}

describe("catchUp", () => {
  const EVENTS = 1_000;

  /** Simulates a receiver that was down: events are stored, and every tenth was handled before. */
  async function missed() {
    const opened = open({ pageSize: 100 });
    const { webhooks, sandbox } = opened;
    const store = memoryStore({ clock: sandbox.clock });
    for (let index = 0; index < EVENTS; index++)
      webhooks.emit("plan.created", { object: { id: `plan_${index}` } });
    const before = webhooks.events().filter((_, index) => index % 10 === 0);
    for (const { id } of before) {
      await store.claim(id, "earlier", 1_000);
      await store.complete(id, "earlier");
    }
    const effects: string[] = [];
    const since = new Date(sandbox.clock.now() - 1);
    return { ...opened, store, effects, since, clock: sandbox.clock };
  }

  test("handles each missed event once, even if it is stopped in the middle", async () => {
    const { client, store, effects, since, clock } = await missed();
    let count = 0;
    const router = createEventRouter({
      "plan.*": (event) => {
        expect(sourceOf(event)).toBe("store");
        if (++count === 400) throw new Error("no database");
        effects.push(event.id);
      },
    });
    const stop = new AbortController();
    const half = catchUp({
      client,
      since,
      router,
      store,
      clock,
      signal: stop.signal,
      onOutcome: () => {
        if (effects.length === 500) stop.abort();
      },
    });
    await expect(half).rejects.toMatchObject({ name: "AbortError" });
    const totals = await catchUp({ client, since, router, store, clock });
    expect(totals).toMatchObject({ handled: 400, duplicate: 600, failed: 0 });
    expect(new Set(effects).size).toBe(effects.length);
    expect(effects).toHaveLength(900);
    expect(await catchUp({ client, since, router, store, clock })).toMatchObject({
      handled: 0,
      duplicate: EVENTS,
    });
  });

  test("shares handlers and store with a receiver: each event is handled once", async () => {
    const { client, webhooks, sandbox } = open();
    const clock = sandbox.clock;
    const seen: string[] = [];
    const handlers = { "plan.*": ({ id }: { id: string }) => seen.push(id) };
    const store = memoryStore({ clock });
    const receive = createReceiver({ secret: "whsec_test", clock, store, handlers });
    let isDown = false;
    webhooks.register({
      url: "https://receiver.test/hooks",
      secret: "whsec_test",
      fetch: async (request) => (isDown ? new Response("", { status: 503 }) : receive(request)),
    });
    await webhooks.trigger("plan.created");
    isDown = true;
    await webhooks.trigger("plan.updated");
    await webhooks.trigger("plan.deleted");
    expect(seen).toHaveLength(1);
    const options = {
      client,
      since: new Date(0),
      router: createEventRouter(handlers),
      store,
      clock,
    };
    expect(await catchUp(options)).toMatchObject({ handled: 2, duplicate: 1 });
    isDown = false;
    // The sender still retries, which has no effect.
    await webhooks.advance(60_000);
    expect(webhooks.deliveries().map(({ status }) => status)).toEqual(
      Array.from({ length: 3 }, () => "delivered"),
    );
    expect(seen).toEqual(webhooks.events().map(({ id }) => id));
  });
});

test.each(["oldest_first", "newest_first", "none"] as const)(
  "a list of events in the order %s is read to its end once, and then from a checkpoint",
  async (eventOrder) => {
    const { client, webhooks, sandbox } = open({ pageSize: 10, eventOrder });
    const emit = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index++) {
        webhooks.emit("plan.created", { object: { id: `plan_${index}` } });
        await sandbox.clock.advance(3 * 3_600_000);
      }
    };
    await emit(100);
    const ids = (await client.events.list().toArray({ limit: 200 })).map(({ id }) => id);
    const created = webhooks.events().map(({ id }) => id);
    expect(ids.toSorted()).toEqual(created.toSorted());
    expect(ids[0] === created[0]).toBe(eventOrder === "oldest_first");
    expect(ids.at(-1) === created[0]).toBe(eventOrder === "newest_first");
    let checkpoint: CatchUpCheckpoint | undefined;
    const store = memoryStore();
    const router = createEventRouter({ "plan.*": () => undefined });
    const run = async () => {
      const before = sandbox.log.count;
      const onCheckpoint = (next: CatchUpCheckpoint) => void (checkpoint = next);
      const { clock } = sandbox;
      const all = { client, since: new Date(0), clock, router, store, checkpoint, onCheckpoint };
      return { ...(await catchUp(all)), requests: sandbox.log.count - before };
    };
    expect(await run()).toMatchObject({ handled: 100, requests: 10 });
    expect(checkpoint?.order).toBe(eventOrder);
    await emit(5);
    const next = await run();
    expect(next.handled).toBe(5);
    expect(next.requests).toBe({ oldest_first: 2, newest_first: 5, none: 11 }[eventOrder]);
  },
);
