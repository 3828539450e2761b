import { DatabaseSync } from "node:sqlite";
import type { EventEnvelope } from "@fieldmesh/webhook-types";
import { memoryOrder, memoryStore, type Inbox } from "@fieldmesh/webhook-types/receiver";
import { expect, test } from "vitest";
import { createVirtualClock } from "@fieldmesh/sandbox/engine";
import type { Calls } from "./calls.ts";
import { toEvent } from "./planned-event.ts";
import { createWorld, type Remains, type World } from "./world.ts";

const clock = createVirtualClock("2026-01-01T00:00:00Z");
const secrets = () => ["whsec_prove_0123456789"];
const [event, newer] = [0, 1].map((second) => toEvent(["sim.activated"], [0, 0, second])) as [
  EventEnvelope,
  EventEnvelope,
];

const mobile = { baseUrl: "http://mobile.prove", apiKey: "key", fetch: async () => new Response() };

/** A world whose calls are recorded, and fail once `failing` is set. */
function startWorld(
  remains: Remains = { values: new Map(), effects: [], rows: new Map() },
  died: Promise<never> = new Promise(() => {}),
) {
  const labels: string[] = [];
  const state = { failing: false };
  const cross: Calls["cross"] = async (label, call) => {
    labels.push(label);
    if (state.failing) throw new Error(`${label} failed, as planned.`);
    return await call();
  };
  const calls = { cross, died, atEnd: () => {} } as unknown as Calls;
  return { world: createWorld({ secrets, clock, mobile, remains, calls }), labels, remains, state };
}

test("what survives is made once for each name, even if it is undefined", () => {
  const { world, remains } = startWorld();
  let made = 0;
  const make = () => void made++;
  world.survives("table", make);
  // A later process of the same run.
  startWorld(remains).world.survives("table", make);
  expect(made).toBe(1);
  world.survives("another", make);
  expect(made).toBe(2);
  expect(world.survives("set", () => new Set([1]))).toBe(world.survives("set", () => new Set([2])));
});

test("a user's name for what survives is none of the names of the world itself", async () => {
  const { world, remains } = startWorld();
  const make = (name: string) => world.survives(name, () => name);
  for (const name of ["store", "order", "keys of effects", ""]) expect(make(name)).toBe(name);
  const store = world.store(() => memoryStore({ clock }));
  expect(await store.claim("evt_1", "one", 30_000)).toMatchObject({ status: "claimed" });
  expect(await world.order(() => memoryOrder()).isOlder(event)).toBe(false);
  await world.effect("mail", event, { key: "1" });
  expect(remains.effects).toHaveLength(1);
});

test("a database is wrapped once, so that an order joins the transaction of an inbox", () => {
  const { world, remains } = startWorld();
  const [one, two] = [new DatabaseSync(":memory:"), new DatabaseSync(":memory:")];
  expect(world.database(one)).toBe(world.database(one));
  expect(world.database(one)).not.toBe(one);
  expect(world.database(one)).not.toBe(world.database(two));
  // Each process has its own connections.
  expect(startWorld(remains).world.database(one)).not.toBe(world.database(one));
});

test("the calls of a store reach the store that survives, one call each", async () => {
  const { world, labels, remains } = startWorld();
  const store = world.store(() => memoryStore({ clock }));
  expect(await store.claim("evt_1", "one", 30_000)).toMatchObject({ status: "claimed" });
  const later = startWorld(remains).world.store(() => memoryStore({ clock }));
  expect(await later.claim("evt_1", "two", 30_000)).toMatchObject({ status: "in_progress" });
  expect(await store.extend("evt_1", "one", 30_000)).toBe(true);
  await store.release("evt_1", "one");
  expect(await store.claim("evt_1", "two", 30_000)).toMatchObject({ status: "claimed" });
  await store.complete("evt_1", "two");
  expect(await later.claim("evt_1", "one", 30_000)).toEqual({ status: "done" });
  expect(labels).toEqual([
    "store: claim",
    "store: extend",
    "store: release",
    "store: claim",
    "store: complete",
  ]);
});

test("an order compares and remembers, and survives", async () => {
  const { world, labels, remains } = startWorld();
  const order = world.order(() => memoryOrder());
  await order.remember(newer);
  expect(await order.isOlder(event)).toBe(true);
  expect(
    await startWorld(remains)
      .world.order(() => memoryOrder())
      .isOlder(newer),
  ).toBe(false);
  expect(labels).toEqual(["order: remember", "order: isOlder"]);
  expect("claimObject" in order).toBe(false);
});

test("the order of an inbox claims an object, too", async () => {
  const { world, labels } = startWorld();
  const seen: unknown[] = [];
  const order = world.order(() => ({
    ...memoryOrder(),
    claimObject: async (...all: unknown[]) => {
      seen.push(...all);
      return "claimed" as never;
    },
  }));
  const context = { transaction: 1 } as never;
  expect(await order.claimObject(event, context)).toBe("claimed");
  expect([seen, labels]).toEqual([[event, context], ["order: claimObject"]]);
});

/** An inbox that keeps what a work has written unless the work fails. */
function tinyInbox() {
  const kept: string[] = [];
  const inbox: Inbox & { transaction(): string } = {
    transaction: () => "of the inbox",
    run: async (id, work) => {
      await work({ signal: new AbortController().signal, enter: () => {} });
      kept.push(id);
      return "committed";
    },
  };
  return { inbox, kept };
}

test("the run of an inbox is one call, and its other methods are those of the inbox", async () => {
  const { world, labels } = startWorld();
  const { inbox, kept } = tinyInbox();
  const wrapped = world.store(() => inbox);
  let context: unknown;
  expect(await wrapped.run("evt_1", async (transaction) => void (context = transaction))).toBe(
    "committed",
  );
  expect(context).toHaveProperty("signal");
  expect([kept, labels]).toEqual([["evt_1"], ["inbox: run"]]);
  expect(wrapped.transaction()).toBe("of the inbox");
  expect("claim" in wrapped).toBe(false);
});

test("the end of a process fails the work of its inbox, which rolls back", async () => {
  const died = Promise.withResolvers<never>();
  const { world } = startWorld(undefined, died.promise);
  const { inbox, kept } = tinyInbox();
  const run = world.store(() => inbox).run("evt_1", () => new Promise(() => {}));
  died.reject(new Error("The process has ended."));
  await expect(run).rejects.toThrow("The process has ended.");
  expect(kept).toEqual([]);
});

test("of several effects with one key and one name, one happens", async () => {
  const { world, labels, remains } = startWorld();
  await world.effect("mail", event, { key: "1" });
  await world.effect("mail", newer, { key: "1" });
  await startWorld(remains).world.effect("mail", event, { key: "1" });
  await world.effect("mail", newer, { key: "2" });
  await world.effect("invoice", event, { key: "1" });
  const [one, two] = [event.id, newer.id];
  expect(remains.effects).toEqual([
    { event: one, name: "mail" },
    { event: two, name: "mail" },
    { event: one, name: "invoice" },
  ]);
  const mail = 'effect "mail"';
  expect(labels).toEqual([mail, mail, mail, 'effect "invoice"']);
});

test("rows survive, and are read, written and changed by one call each", async () => {
  const { world, labels, remains } = startWorld();
  expect(await world.rows.get("sim")).toBeUndefined();
  expect(await world.rows.set("sim", event)).toBeUndefined();
  const later = startWorld(remains).world;
  expect(await later.rows.get("sim")).toBe(event);
  const seen: unknown[] = [];
  const change = (shown: EventEnvelope | undefined) => {
    seen.push(shown);
    return newer;
  };
  expect(await world.rows.update("sim", change)).toBeUndefined();
  await world.rows.update("other", change);
  expect(seen).toEqual([event, undefined]);
  expect([...remains.rows]).toEqual([
    ["sim", newer],
    ["other", newer],
  ]);
  expect(labels).toEqual(["rows: get", "rows: set", "rows: update", "rows: update"]);
});

test.each<[string, (world: World) => Promise<unknown>]>([
  ["effect", (world) => world.effect("mail", event, { key: "1" })],
  ["set", (world) => world.rows.set("sim", event)],
  ["update", (world) => world.rows.update("sim", () => event)],
])("a call that fails changes nothing: %s", async (_name, act) => {
  const { world, remains, state } = startWorld();
  state.failing = true;
  await expect(act(world)).rejects.toThrow("failed, as planned.");
  state.failing = false;
  expect([remains.effects, remains.rows.size]).toEqual([[], 0]);
  // The key of an effect that did not happen is free.
  await act(world);
  expect(remains.effects.length + remains.rows.size).toBe(1);
});
