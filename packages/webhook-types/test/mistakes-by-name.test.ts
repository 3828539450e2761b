import { afterEach, describe, expect, test, vi } from "vitest";
import { isEvent } from "../src/events/is-event.ts";
import { subscribersOf } from "../src/mirror/subscribers.ts";
import { toFastifyPlugin } from "../src/adapters/index.ts";
import { readNode } from "../src/adapters/node.ts";
import { parseEvent } from "../src/parse/index.ts";
import {
  createReceiver,
  memoryPoison,
  memoryStore,
  noStore,
  runAgain,
} from "../src/receiver/index.ts";
import { createEventRouter } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples/index.ts";
import { sinceStart } from "../src/stores/sqlite-store.ts";

// What a message says about a small mistake, and what happens where a value is missing.

afterEach(() => void vi.unstubAllGlobals());

test("a value whose getters throw is not an event", () => {
  const throwing = {
    get id(): string {
      throw new Error("no id");
    },
  };
  expect(isEvent(throwing)).toBe(false);
});

test("the error of an event with two problems says that there are more", () => {
  const { id: _id, created_at: _time, ...event } = sampleEvent("plan.updated");
  expect(() => parseEvent(event)).toThrow(/\(.*more.*\)\.$/);
  expect(() => parseEvent({ ...event, id: "evt_1" })).not.toThrow(/more/);
});

test("a payload that was not kept needs a reload to run the event again", async () => {
  const store = memoryPoison();
  const { id, type } = sampleEvent("plan.updated");
  await store.fail({ id, type, error: "Error" });
  await store.setAside(id, undefined);
  const options = { router: createEventRouter({}), store: memoryStore() };
  await expect(
    runAgain(id, { ...options, poison: { store, attempts: 1 } as never }),
  ).rejects.toThrow(
    `The payload of ${id} was not kept, and there is no reload. Pass a reload that returns the event.`,
  );
});

describe("the subscribers of a version", () => {
  const key = { tenant: "", livemode: true, id: "sub_1" };

  test("are the subscriber itself, and those that its fields name", () => {
    const version = { state: { referrer_subscriber_id: "sub_2" } } as never;
    expect(subscribersOf({ ...key, family: "subscriber" }, version)).toEqual(["sub_1", "sub_2"]);
  });

  test("do not include an object of another kind", () => {
    const version = { state: { id: "sub_1", subscriber: { id: "sub_3" } } } as never;
    expect(subscribersOf({ ...key, family: "sim" }, version)).toEqual(["sub_3"]);
  });
});

test("a plugin for Fastify receives at the path / if none is named", async () => {
  const routes: unknown[] = [];
  const receive = createReceiver({ secret: "whsec_of_a", store: noStore(), handlers: {} });
  await toFastifyPlugin(receive)({
    removeAllContentTypeParsers: () => {},
    addContentTypeParser: () => {},
    route: (route: object) => void routes.push(route),
  } as never);
  expect(routes).toMatchObject([{ method: "POST", url: "/" }]);
});

test("a parsed body is rejected with a hint, even before the stream has ended", () => {
  const req = { body: { id: "evt_1" }, readableEnded: false, on: () => {} };
  const { signal } = new AbortController();
  expect(() => readNode(req as never, 1_000, signal, "Mount it first.")).toThrow("Mount it first.");
});

test("tenantOf sees an empty string where a message has no URL", async () => {
  const seen: unknown[] = [];
  const tenantOf = ({ method, url }: { method: string; url: string }): undefined =>
    void seen.push({ method, url });
  const receive = createReceiver({
    secret: { tenantOf, secretsOf: () => "whsec_of_a" },
    store: noStore(),
    handlers: {},
    onOutcome: () => {},
  });
  const headers = { "platform-signature": "t=1,v1=00" };
  await receive.receive({ method: "POST", headers, body: "{}" } as never);
  expect(seen).toEqual([{ method: "POST", url: "" }]);
});

test("leases use the system clock where there is no process", () => {
  vi.stubGlobal("process", undefined);
  const now = sinceStart();
  vi.unstubAllGlobals();
  expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
});
