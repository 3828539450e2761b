import { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { reassignmentOf } from "../src/events/reassignment.ts";
import { signedRequest, type WebhookEvent } from "../src/index.ts";
import { codesOf } from "../src/parse/codes.ts";
import {
  createReceiver,
  memoryPoison,
  memoryStore,
  noStore,
  runAgain,
  type ReceiverOptions,
} from "../src/receiver/index.ts";
import { describeErrors } from "../src/receiver/describe-errors.ts";
import { eventOfTenant } from "../src/receiver/tenant-key.ts";
import { createEventRouter, type EventContext } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples/index.ts";
import { sqliteInbox } from "../src/stores/index.ts";

// What a receiver says and passes on where nothing special happens.

const secret = canaries.webhookSecret;
const url = "http://127.0.0.1/hooks/a";

/** Delivers an event, and returns the response with the lines that were logged. */
async function deliver(event: object, options: Partial<ReceiverOptions> = {}) {
  const lines: string[] = [];
  const warn = (line: string): void => void lines.push(line);
  const receive = createReceiver({
    secret,
    store: noStore(),
    handlers: {},
    logger: { debug: () => {}, info: () => {}, warn, error: warn } as never,
    ...options,
  });
  const response = await receive(await signedRequest(event as never, { url, secret }));
  await turn();
  return { response, lines, receive };
}

describe("a line about a delivery", () => {
  const fail = (...errors: unknown[]) => ({
    "*": () => Promise.reject(new AggregateError(errors)),
  });

  test("shows the beginning of a long id", async () => {
    const id = `evt_${"x".repeat(200)}`;
    const event = { ...sampleEvent("plan.updated"), id };
    const { lines } = await deliver(event, { handlers: fail(new RangeError("hidden")) });
    expect(lines.join("\n")).toContain(`${id.slice(0, 100)}…`);
    expect(lines.join("\n")).not.toContain(id);
  });

  test("names each kind of error once, with commas", async () => {
    const duplicate = Object.assign(new Error("hidden"), { code: "23505" });
    expect(describeErrors(new AggregateError([new RangeError("x"), duplicate, duplicate]))).toBe(
      "RangeError, Error 23505",
    );
    expect(describeErrors({ name: ["Ada"], code: ["23505"] })).toBe("an object");
    // A list that is none.
    const broken = Object.assign(new AggregateError([]), { errors: 5 });
    expect(describeErrors(broken)).toBe("an AggregateError");
  });
});

test("a response is plain text in UTF-8 that names the outcome", async () => {
  const { response } = await deliver(sampleEvent("plan.updated"));
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await response.text()).toBe("handled");
});

test("handlers in an inbox receive the tenant of the delivery", async () => {
  const database = new DatabaseSync(":memory:");
  const contexts: EventContext[] = [];
  const { response } = await deliver(sampleEvent("plan.updated"), {
    secret: { tenantOf: () => "acme", secretsOf: () => secret },
    store: sqliteInbox(database),
    handlers: { "*": (_event, context) => void contexts.push(context) },
  });
  expect(await response.text()).toBe("handled");
  expect(contexts).toMatchObject([{ tenant: "acme" }]);
  database.close();
});

test("an order sees the tenant in the id of an object, and leaves an object without an id alone", () => {
  const idOf = (tenant: string | undefined, id: unknown): unknown => {
    const event = { ...sampleEvent("plan.updated"), data: { object: { id } } } as never;
    return (eventOfTenant(tenant, event).data["object"] as { id: unknown }).id;
  };
  expect(idOf("a", "plan_1")).toBe("a/plan_1");
  expect(idOf(undefined, "plan_1")).toBe("plan_1");
  for (const id of [undefined, null, 7, ""]) expect(idOf("a", id)).toBe(id);
});

test.each([null, undefined])(
  "an event whose reload returns %s cannot be run again",
  async (none) => {
    const store = memoryPoison();
    const event = sampleEvent("sim.activated");
    const reload = async () => none;
    const handlers = { "*": () => Promise.reject(new Error("fails")) };
    const poison = { store, attempts: 1, reload };
    await deliver(event, { store: memoryStore(), handlers, poison, onError: () => {} });
    const router = createEventRouter({});
    await expect(runAgain(event.id, { router, store: memoryStore(), poison })).rejects.toThrow(
      "reload returned none. Pass a reload that returns the event.",
    );
  },
);

describe("codes of an event", () => {
  test("are what its named fields contain, and nothing else", () => {
    const event = { type: "sim.created", id: "evt_12345", activation_code: ["LPA:1$a$b", 12345] };
    expect(codesOf(event)).toEqual(["LPA:1$a$b", "12345"]);
  });
});

test("a reassignment without previous values repoints nothing", () => {
  const event = sampleEvent("sim.reassigned") as WebhookEvent<"sim.reassigned">;
  const { previous_attributes: _none, ...data } = event.data;
  expect(reassignmentOf({ ...event, data } as never)).toMatchObject({
    holderSubscriberId: event.data.object.holder_subscriber_id,
    repointTo: undefined,
  });
});
