import { expect, test } from "vitest";
import type { UnknownEvent } from "../src/index.ts";
import { createEventRouter, type EventContext, type EventHandlers } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";

const unknown: UnknownEvent = { ...sampleEvent("sim.synced"), type: "sim.frobbed" };

function recording(keys: readonly (keyof EventHandlers)[]) {
  const ran: string[] = [];
  const handlers = Object.fromEntries(
    keys.map((key) => [key, () => void ran.push(key)]),
  ) as EventHandlers;
  return { ran, router: createEventRouter(handlers) };
}

test("all handlers that match run: type, family and *", async () => {
  const { ran, router } = recording([
    "sim.activated",
    "sim.*",
    "*",
    "otherwise",
    "sim.synced",
    "invoice.*",
  ]);
  await router.dispatch(sampleEvent("sim.activated"));
  expect(ran).toEqual(["sim.activated", "sim.*", "*"]);
});

test("a family includes types with more dots, but no other family whose name begins in the same way", async () => {
  const { ran, router } = recording(["subscription.*", "sim.*"]);
  await router.dispatch(sampleEvent("subscription.line.removal_scheduled"));
  await router.dispatch(sampleEvent("sim_inventory.claimed"));
  expect(ran).toEqual(["subscription.*"]);
});

test("a pattern of two whole parts includes its types, in addition to their family", async () => {
  const { ran, router } = recording(["cpni.*", "cpni.verification.*", "otherwise"]);
  await router.dispatch(sampleEvent("cpni.verification.requested"));
  expect(ran.splice(0).toSorted()).toEqual(["cpni.*", "cpni.verification.*"]);
  await router.dispatch(sampleEvent("cpni.escalation.denied"));
  expect(ran).toEqual(["cpni.*"]);
});

test("otherwise handles events without a handler for their type or family, also together with *", async () => {
  const { ran, router } = recording(["sim.*", "*", "otherwise"]);
  await router.dispatch(sampleEvent("invoice.paid"));
  expect(ran).toEqual(["otherwise", "*"]);
});

test("an event of an unknown type is handled by * and otherwise, never by its family", async () => {
  const { ran, router } = recording(["sim.*", "*", "otherwise"]);
  await router.dispatch(unknown);
  await router.dispatch({ ...unknown, type: "constructor" });
  expect(ran).toEqual(["otherwise", "*", "otherwise", "*"]);
});

test("an event without a handler is not an error", async () => {
  await createEventRouter({}).dispatch(unknown);
});

test("errors of all handlers are collected, after the last has ended", async () => {
  const ended: string[] = [];
  const router = createEventRouter({
    "sim.activated": () => {
      throw new Error("at once");
    },
    "sim.*": async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      ended.push("sim.*");
    },
    "*": () => Promise.reject(new Error("later")),
  });
  const error: unknown = await router
    .dispatch(sampleEvent("sim.activated"))
    .catch((each: unknown) => each);
  expect(error).toBeInstanceOf(AggregateError);
  expect((error as AggregateError).errors.map(String).sort()).toEqual([
    "Error: at once",
    "Error: later",
  ]);
  expect((error as AggregateError).message).toBe(
    "2 of 3 handlers of sim.activated (evt_01JD3Y6M2P5VX8) failed.",
  );
  expect(ended).toEqual(["sim.*"]);
});

test("a handler may return any thenable, which is awaited", async () => {
  const ended: string[] = [];
  const thenable = {
    // oxlint-disable-next-line unicorn/no-thenable -- such as the queries of some database clients
    then: (resolve: (value: string) => void) => {
      setImmediate(() => {
        ended.push("query");
        resolve("rows");
      });
    },
  };
  await createEventRouter({ "*": () => thenable }).dispatch(unknown);
  expect(ended).toEqual(["query"]);
});

test("handlers receive the context of the dispatch, or that of a first attempt if dispatch has none", async () => {
  const contexts: EventContext[] = [];
  const router = createEventRouter({ "*": (_event, context) => contexts.push(context) });
  const given: EventContext = {
    idempotencyKey: "k",
    attempt: 3,
    delivery: undefined,
    signal: new AbortController().signal,
  };
  await router.dispatch(unknown, given);
  await router.dispatch(unknown);
  expect(contexts[0]).toBe(given);
  expect(contexts[1]).toMatchObject({ idempotencyKey: unknown.id, attempt: 1 });
  expect(contexts[1]?.signal.aborted).toBe(false);
});

test.each([
  ["sim.activatd", "sim.activated"],
  ["simm.*", "sim.*"],
  ["sim*", "sim.*"],
  ["subscription_line.removal_scheduled", "subscription.line.removal_scheduled"],
  ["otherwize", "otherwise"],
])("the error of the misspelled key %s contains a suggestion", (key, meant) => {
  const create = () => createEventRouter({ [key]: () => undefined } as EventHandlers);
  expect(create).toThrow(`"${key}" is not an event type`);
  expect(create).toThrow(`Did you mean "${meant}"?`);
});

test.for<[string, unknown]>([
  ["a string", JSON.stringify(sampleEvent("sim.activated"))],
  ["an event without an id", { type: "sim.activated" }],
  ["an event without a type", { id: "evt_1" }],
  ["nothing", undefined],
])("dispatch rejects %s, which no handler could match", async ([, value]) => {
  const handled: unknown[] = [];
  const router = createEventRouter({ "*": (event) => void handled.push(event) });
  await expect(router.dispatch(value as never)).rejects.toThrow(
    "Pass the result of parseEvent(body)",
  );
  expect(handled).toEqual([]);
});
