import {
  catchUp,
  type CatchUpCheckpoint,
  createMobileClient,
  rateLimitOf,
  withResponse,
  type CatchUpReport,
  type Mode,
} from "@fieldmesh/mobile-client";
import { currentEventTypes, sourceOf } from "@fieldmesh/webhook-types";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import { createReceiver, memoryStore, noStore } from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { createSandbox } from "../sandbox/sandbox.ts";
import type { MobileOptions } from "./mobile-state.ts";

const person = { email: "ada@example.com", name: "Ada" };

function open(mobile: MobileOptions = {}, mode: Mode = "sandbox") {
  const sandbox = createSandbox({ mobile });
  const { baseUrl, fetch, apiKey, liveApiKey } = sandbox.mobile;
  const init = { baseUrl, fetch, retry: false as const };
  const client = createMobileClient({
    ...init,
    apiKey: mode === "live" ? liveApiKey : apiKey,
    mode,
  });
  const live = createMobileClient({ ...init, apiKey: liveApiKey });
  return { sandbox, client, live, webhooks: sandbox.webhooks };
}

function idOf(created: { readonly id?: string | undefined } | undefined): string {
  if (created?.id === undefined) throw new Error("the sandbox returns the record");
  return created.id;
}

describe("the mobile service of the sandbox", () => {
  test("creates, reads and deletes a subscriber, and emits events without contact fields", async () => {
    const { client, webhooks } = open();
    const id = idOf(await client.subscribers.create(person));
    expect(await client.subscribers.get({ id })).toMatchObject(person);
    await client.subscribers.delete({ id });
    await expect(client.subscribers.get({ id })).rejects.toMatchObject({
      status: 404,
      code: "not_found",
    });
    const [created, deleted] = webhooks.events();
    expect([created!.type, deleted!.type]).toEqual(["subscriber.created", "subscriber.deleted"]);
    expect(created!.data).toMatchObject({ object: { id, email: null, pii_redacted: true } });
    expect(JSON.stringify(webhooks.events())).not.toMatch(/ada/i);
  });

  test("the role of the key decides about contact fields: they are null without the permission", async () => {
    const everything = { ...person, phone: "+12025550143", date_of_birth: "1815-12-10" };
    const read = async (mobile: MobileOptions) => {
      const { client, sandbox } = open(mobile);
      const id = idOf(await client.subscribers.create(everything, { idempotencyKey: "signup-8" }));
      const { baseUrl, fetch, keys } = sandbox.mobile;
      return await Promise.all(
        Object.values(keys).map(async (apiKey) => {
          const reader = createMobileClient({ baseUrl, fetch, apiKey, mode: "sandbox" });
          const { email, name, phone, date_of_birth, locked_status } = await reader.subscribers.get(
            {
              id,
            },
          );
          return { email, name, phone, date_of_birth, locked_status };
        }),
      );
    };
    const seen = { ...everything, locked_status: "unlocked" };
    const hidden = {
      email: null,
      name: null,
      phone: null,
      date_of_birth: null,
      locked_status: "unlocked",
    };
    expect(await read({})).toEqual([hidden, hidden, seen]);
    expect(await read({ personalDataFor: ["rk"] })).toEqual([hidden, seen, hidden]);
    expect(() => open({ personalDataFor: ["admin"] as never })).toThrow(/personalDataFor/);
  });

  test("fraud.evaluated is emitted for a signup and a decision if screening is switched on", async () => {
    const types = async (mobile: MobileOptions) => {
      const { client, webhooks } = open(mobile);
      await client.subscribers.create(person);
      expect(await client.fraudDecisions.create({ subject: { email: "x" } })).toMatchObject({
        decision: "allow",
      });
      return webhooks.events();
    };
    expect((await types({})).map(({ type }) => type)).toEqual(["subscriber.created"]);
    const [, signup, asked] = await types({ fraudScreening: true });
    expect(signup).toMatchObject({
      type: "fraud.evaluated",
      data: { object: { decision: "allow", subject: { email: person.email, phone: null } } },
    });
    expect(asked).toMatchObject({ data: { object: { subject: { email: "x" } } } });
    const decision = { decision: "allow", score: 0.1, reasons: [], mode: "monitor" };
    expect([signup?.data.object, asked?.data.object]).toMatchObject([decision, decision]);
    expect(parseEvent(signup)).toMatchObject({ type: "fraud.evaluated" });
  });

  test("a cursor that the list never returned is rejected", async () => {
    const { client, live, webhooks } = open({ pageSize: 2 });
    for (const _ of Array.from({ length: 5 })) await webhooks.trigger("plan.created");
    const { cursor } = await client.events.list().page();
    expect((await client.events.list({ cursor: cursor! }).page()).items).toHaveLength(2);
    const offset = Number(/\d+/.exec(cursor!)![0]);
    for (const forged of [
      "-1",
      "1e0",
      "2",
      "0",
      "NaN",
      `${cursor} `,
      cursor!.replace(String(offset), String(offset + 1)),
      cursor!.toUpperCase(),
    ])
      await expect(client.events.list({ cursor: forged }).page()).rejects.toMatchObject({
        status: 400,
        code: "invalid_cursor",
      });
    await expect(live.events.list({ cursor: cursor! }).page()).rejects.toMatchObject({
      status: 400,
    });
  });

  test("ids and events of the other environment are not found", async () => {
    const { client, live } = open();
    const id = idOf(await live.subscribers.create(person));
    await expect(client.subscribers.get({ id })).rejects.toMatchObject({ status: 404 });
    expect(await client.events.list().toArray({ limit: 9 })).toEqual([]);
    expect(await live.events.list().toArray({ limit: 9 })).toMatchObject([{ livemode: true }]);
  });

  test("a billed subscriber cannot be deleted, and an unknown subscriber cannot have a subscription", async () => {
    const { client } = open();
    const id = idOf(await client.subscribers.create(person));
    const subscription = await client.subscriptions.create({
      subscriber_id: id,
      plan_id: "plan_1",
    });
    expect(subscription?.status).toBe("pending_activation");
    expect(await client.subscriptions.renewal({ id: idOf(subscription) })).toMatchObject({
      subscription_id: idOf(subscription),
    });
    await expect(client.subscribers.delete({ id })).rejects.toMatchObject({
      status: 422,
      code: "subscriber_has_billing_history",
    });
    await expect(
      client.subscriptions.create({ subscriber_id: "sub_0", plan_id: "p" }),
    ).rejects.toMatchObject({ fields: { subscriber_id: ["not_found"] } });
  });

  test("an idempotency key returns the first response for 24 hours, and creates nothing twice", async () => {
    const { client, sandbox } = open();
    const once = { idempotencyKey: "signup-7" };
    const first = await withResponse(client.subscribers.create(person, once));
    const again = await withResponse(client.subscribers.create(person, once));
    expect(again.output).toEqual(first.output);
    expect([first, again].map(({ headers }) => headers.get("idempotency-replayed"))).toEqual([
      null,
      "true",
    ]);
    expect(sandbox.mobile.state.subscribers.size).toBe(1);
    await expect(client.subscribers.create({ ...person, name: "Bob" }, once)).rejects.toMatchObject(
      { code: "idempotency_key_reused" },
    );
    await sandbox.clock.advance(24 * 3_600_000 + 1);
    await client.subscribers.create(person, once);
    expect(sandbox.mobile.state.subscribers.size).toBe(2);
  });

  test("after a lost response, the idempotency key lets the client retry, and one record is created", async () => {
    const { sandbox } = open();
    const { baseUrl, fetch, apiKey } = sandbox.mobile;
    const client = createMobileClient({
      baseUrl,
      fetch,
      apiKey,
      retry: { baseDelay: 1, maxDelay: 2 },
      trustIdempotencyKeys: true,
    });
    sandbox.setFaults([{ on: "subscribers.create", kind: "lost", times: 1 }]);
    await client.subscribers.create(person);
    expect(sandbox.mobile.state.subscribers.size).toBe(1);
    expect(sandbox.log.requests("subscribers.create")).toHaveLength(2);
  });

  test("reads and writes have separate budgets, and every response contains the remaining count", async () => {
    const { client, sandbox } = open({ budgets: { reads: 2, writes: 1 } });
    const { headers } = await withResponse(client.eventTypes.list());
    expect(rateLimitOf(headers)).toEqual({ limit: 2, remaining: 1, resetsIn: 60 });
    await client.subscribers.create(person);
    await expect(client.subscribers.create(person)).rejects.toMatchObject({
      status: 429,
      code: "rate_limited",
    });
    await client.eventTypes.list();
    await expect(client.eventTypes.list()).rejects.toMatchObject({ status: 429 });
    await sandbox.clock.advance(60_000);
    expect(await client.eventTypes.list()).toHaveLength(currentEventTypes.length);
  });

  test("a record that the spec does not define has the type of the caller's schema", async () => {
    const { client } = open();
    const id = idOf(await client.subscribers.create(person));
    const subscription = idOf(
      await client.subscriptions.create({ subscriber_id: id, plan_id: "plan_1" }),
    );
    const schema = z.object({ amount_cents: z.int().transform((cents) => cents / 100) });
    expect(await client.subscriptions.renewal({ id: subscription }, { schema })).toEqual({
      amount_cents: 25,
    });
    await expect(
      client.subscriptions.renewal(
        { id: subscription },
        { schema: z.object({ amount_cents: z.string() }) },
      ),
    ).rejects.toMatchObject({
      name: "ResponseValidationError",
      problems: [{ path: "amount_cents" }],
    });
  });

  test("an unknown key is rejected", async () => {
    const { baseUrl, fetch } = open().sandbox.mobile;
    const client = createMobileClient({ baseUrl, fetch, apiKey: "sk_sandbox_none" });
    await expect(client.eventTypes.list()).rejects.toMatchObject({
      status: 401,
      code: "invalid_api_key",
    });
  });

  test("stored events have no one-time code and no recipient", async () => {
    const { client, webhooks } = open();
    await webhooks.trigger("cpni.verification.requested", { data: { object: { code: "493817" } } });
    await webhooks.trigger("psim_order.paid");
    for (const type of ["sim.provisioned", "sim.activated", "sim.swapped"] as const)
      await webhooks.trigger(type, { data: { object: { activation_code: "LPA:1$canary" } } });
    const stored = await client.events.list().toArray({ limit: 9 });
    expect(JSON.stringify(stored)).not.toMatch(/493817|shipping_address|canary/);
    expect(stored[1]!.data?.["object"]).not.toHaveProperty("email");
  });
});

describe("catchUp", () => {
  const EVENTS = 1_000;

  /** Simulates a receiver that was down: events are stored, and every tenth was handled before. */
  async function missed(count = EVENTS) {
    const opened = open({ pageSize: 100 });
    const { webhooks, sandbox } = opened;
    const store = memoryStore({ clock: sandbox.clock });
    for (let index = 0; index < count; index++)
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

  test("continues if onOutcome throws or rejects", async () => {
    const { client, store, since, clock } = await missed(20);
    const print = vi.spyOn(console, "warn").mockReturnValue();
    const router = createEventRouter({ "plan.*": () => undefined });
    let count = 0;
    const onOutcome = (): void => {
      const error = new Error("no log");
      if (++count % 2 === 0) throw error;
      return Promise.reject(error) as never;
    };
    const totals = await catchUp({ client, since, router, store, clock, onOutcome });
    expect(totals).toMatchObject({ handled: 18, duplicate: 2 });
    await vi.waitFor(() => expect(print).toHaveBeenCalledTimes(1));
    print.mockRestore();
  });

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

  test("handles each event once with concurrency, and the next run handles failed events", async () => {
    const { client, store, effects, since, clock } = await missed(300);
    const errors: CatchUpReport[] = [];
    let isDown = true;
    const router = createEventRouter({
      otherwise: (event) => {
        if (isDown && JSON.stringify(event.data).includes('"plan_7"'))
          throw new Error("no database");
        effects.push(event.id);
      },
    });
    const options = { client, since, router, store, clock, concurrency: 8 };
    const first = await catchUp({
      ...options,
      onOutcome: (report) => void (report.outcome === "failed" && errors.push(report)),
    });
    expect(first).toMatchObject({ handled: 269, duplicate: 30, failed: 1 });
    expect(errors).toMatchObject([{ type: "plan.created", outcome: "failed" }]);
    isDown = false;
    expect(await catchUp(options)).toMatchObject({ handled: 1, duplicate: 299 });
    expect(new Set(effects).size).toBe(270);
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

  test("an event that the list contains twice is a duplicate of this run, with any concurrency", async () => {
    const stored = (id: string) => ({
      id,
      type: "plan.created",
      created_at: "2026-11-20T08:30:00Z",
      livemode: false,
      data: { object: { id } },
      idempotency_key: id,
    });
    const ids = ["evt_1", "evt_1", "evt_2", "evt_1", "evt_3", "evt_2"];
    const client = createMobileClient({
      baseUrl: "https://mobile.test",
      apiKey: "sk_sandbox_x",
      fetch: async () => Response.json({ data: ids.map(stored) }),
    });
    const run = async (failing: number) => {
      const seen: string[] = [];
      let failures = failing;
      const router = createEventRouter({
        "plan.created": async ({ id }) => {
          await new Promise(setImmediate);
          if (id === "evt_1" && failures-- > 0) throw new Error("no database");
          seen.push(id);
        },
      });
      const options = { client, router, store: memoryStore(), since: new Date(0), concurrency: 8 };
      return { totals: await catchUp(options), seen: seen.toSorted() };
    };
    const each = ["evt_1", "evt_2", "evt_3"];
    expect(await run(0)).toMatchObject({
      totals: { handled: 3, duplicate: 3, in_progress: 0 },
      seen: each,
    });
    // A failed event is handled again if the list contains it again, as without concurrency.
    expect(await run(1)).toMatchObject({
      totals: { handled: 3, failed: 1, duplicate: 2, in_progress: 0 },
      seen: each,
    });
  });

  test("skips older events, and counts anything that is not an event", async () => {
    const { client, webhooks, sandbox } = open();
    await webhooks.trigger("plan.created");
    await sandbox.clock.advance(60_000);
    const since = new Date(sandbox.clock.now()).toISOString();
    await webhooks.trigger("plan.updated");
    webhooks.emit("invoice.document_ready", { object: { document_url: null } });
    let seen: string[] = [];
    const router = createEventRouter({ "*": ({ type }) => seen.push(type) });
    const { clock } = sandbox;
    const options = { client, since, clock, router, store: noStore(), onDrift: () => {} };
    const strict = await catchUp({ ...options, validation: "strict" });
    expect([seen, strict.handled, strict.not_parsed]).toEqual([["plan.updated"], 1, 1]);
    seen = [];
    const lenient = await catchUp(options);
    expect([seen.toSorted(), lenient.handled, lenient.not_parsed]).toEqual([
      ["invoice.document_ready", "plan.updated"],
      2,
      0,
    ]);
  });

  test("loses no event to an invalid time or envelope, or to a list with duplicates or without an end", async () => {
    const envelope = {
      livemode: false,
      idempotency_key: "i",
      type: "plan.created",
      data: { object: { id: "p" } },
    };
    const good = { ...envelope, id: "evt_1", created_at: "2026-11-20T08:30:00" };
    const answers: object[] = [
      {
        data: [
          good,
          { ...good, id: "evt_2", created_at: "some day" },
          { id: "evt_3", created_at: null, data: null },
        ],
        next_cursor: "b",
      },
      {
        data: [
          good,
          { ...good, id: "evt_4" },
          { ...good, id: "evt_5", created_at: "2026-11-20T08:28:59" },
        ],
      },
    ];
    let asked = 0;
    const client = createMobileClient({
      baseUrl: "https://mobile.test",
      apiKey: "sk_sandbox_x",
      fetch: async () => Response.json(answers[asked++] ?? { data: [], has_more: true }),
    });
    const seen: string[] = [];
    const router = createEventRouter({ "*": ({ id }) => seen.push(id) });
    const options = { client, router, store: memoryStore(), since: "2026-11-20T08:29:00Z" };
    expect(await catchUp(options)).toMatchObject({ handled: 3, duplicate: 1, not_parsed: 1 });
    expect(seen).toEqual(["evt_1", "evt_2", "evt_4"]);
    await expect(catchUp(options)).rejects.toMatchObject({
      name: "ResponseValidationError",
      problems: [{ path: "has_more" }],
    });
  });

  test("every type is handled, and invalid options are rejected before a request is sent", async () => {
    const { client, webhooks, sandbox } = open();
    for (const type of currentEventTypes) await webhooks.trigger(type);
    const router = createEventRouter({});
    expect(await catchUp({ client, since: new Date(0), router, store: noStore() })).toMatchObject({
      handled: currentEventTypes.length,
      not_parsed: 0,
    });
    const sent = sandbox.log.count;
    await expect(catchUp({ client, since: "yesterday", router, store: noStore() })).rejects.toThrow(
      /since/,
    );
    await expect(
      catchUp({ client, since: new Date(0), router, store: noStore(), concurrency: 0 }),
    ).rejects.toThrow(/concurrency/);
    expect(sandbox.log.count).toBe(sent);
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
